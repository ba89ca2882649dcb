// Records the histories that replay.test.ts replays: `npx tsx tests/histories/record.ts`. Run it when the workflow has
// changed in a way that old histories cannot follow, and only when no run can be waiting on the old code.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { packageRoot } from '../../processes/package-root.js';
import {
  CANCEL_SIGNAL,
  RESUME_SIGNAL,
  runAttributes,
  SNAPSHOT_QUERY,
  THREAD_WORKFLOW,
  threadWorkflowId,
  type RunRef,
  type ThreadInput,
  type ThreadSnapshot,
} from '../../workflows/messages.js';
import { ScriptedSteps, type ScriptedStep } from '../support/scripted-steps.js';
import { startTestTemporal } from '../support/temporal.js';
import { startThreadWorker } from '../support/thread-worker.js';
import { until } from '../support/until.js';

type Thread = (input: ThreadInput) => Promise<void>;

const temporal = await startTestTemporal();
const steps = new ScriptedSteps();
const worker = await startThreadWorker(temporal.address, { superstep: steps.superstep, settle: steps.settle });

async function start(script: readonly ScriptedStep[], next?: readonly ScriptedStep[]) {
  const threadId = randomUUID();
  const refTo = (of: readonly ScriptedStep[]): RunRef => {
    const runId = randomUUID();
    steps.scripts.set(runId, of);
    return { runId, assistantId: 'assistant', graphId: 'graph', strategy: 'enqueue' };
  };
  const run = refTo(script);
  const policy = { startToCloseMs: 60_000, heartbeatTimeoutMs: 5_000 };
  const queue = next === undefined ? [] : [refTo(next)];
  const handle = await worker.client.workflow.start<Thread>(THREAD_WORKFLOW, {
    workflowId: threadWorkflowId(threadId),
    taskQueue: worker.taskQueue,
    args: [{ threadId, run, queue, recent: [], policy }],
    typedSearchAttributes: runAttributes(threadId, run, 'running'),
  });
  const untilWaiting = () =>
    until('it waits', async () => (await handle.query<ThreadSnapshot>(SNAPSHOT_QUERY)).state === 'waiting');
  const untilHanging = () => until('it runs', () => steps.supersteps.some((input) => input.run.runId === run.runId));
  return { run, handle, untilWaiting, untilHanging };
}

async function save(name: string, workflowId: string, executionId?: string): Promise<void> {
  const history = await worker.client.workflow.getHandle(workflowId, executionId).fetchHistory();
  const path = join(packageRoot, 'tests', 'histories', `${name}.json`);
  // Stack traces name files; those of another machine are nobody's business.
  const json = JSON.stringify(JSON.parse(historyToJSON(history))).replaceAll(`${packageRoot}/`, '');
  writeFileSync(path, `${json}\n`);
  console.log(`${name}: ${history.events?.length ?? 0} history events`);
}

{
  const { handle } = await start(['continue', 'continue', 'done']);
  await handle.result();
  await save('plain', handle.workflowId);
}
{
  const { handle, untilWaiting } = await start(['continue', 'pause', 'pause', 'done']);
  await untilWaiting();
  await handle.signal(RESUME_SIGNAL, { pause: 1 });
  await until('it pauses again', async () => {
    const { progress, state } = await handle.query<ThreadSnapshot>(SNAPSHOT_QUERY);
    return state === 'waiting' && progress?.pauses === 2;
  });
  await handle.signal(RESUME_SIGNAL, { value: 'by an operator' });
  await handle.result();
  await save('interrupted', handle.workflowId);
}
{
  const { run, handle, untilHanging } = await start(['hang']);
  await untilHanging();
  await handle.signal(CANCEL_SIGNAL, { runId: run.runId, action: 'rollback' });
  await handle.result();
  await save('cancelled', handle.workflowId);
}
{
  const { handle } = await start(['fail']);
  await handle.result().catch(() => undefined);
  await save('failed', handle.workflowId);
}
{
  const { handle } = await start([...Array<ScriptedStep>(200).fill('continue'), 'done'], ['done']);
  await handle.result();
  const first = handle.firstExecutionRunId;
  await save('continued-as-new-first', handle.workflowId, first);
  const { events } = await worker.client.workflow.getHandle(handle.workflowId, first).fetchHistory();
  const second = events?.at(-1)?.workflowExecutionContinuedAsNewEventAttributes?.newExecutionRunId;
  await save('continued-as-new-second', handle.workflowId, second ?? undefined);
  await save('continued-as-new-next-run', handle.workflowId);
}

await worker.stop();
await temporal.stop();
