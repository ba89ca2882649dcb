// What somebody sees in the Temporal UI, read through the API that the UI uses.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client, Connection, type WorkflowExecutionInfo } from '@temporalio/client';
import { SEARCH_ATTRIBUTES } from '../../workflows/messages.js';
import { Platform } from '../support/platform.js';
import { Service } from '../support/service.js';
import { until } from '../support/until.js';

let service: Service;
let platform: Platform;
let connection: Connection;
let temporal: Client;

beforeAll(async () => {
  service = await Service.start({ workers: 1 });
  platform = new Platform(service.url);
  connection = await Connection.connect({ address: service.temporalAddress });
  temporal = new Client({ connection });
}, 120_000);
afterAll(async () => {
  await connection?.close();
  await service?.stop();
}, 60_000);

async function list(query: string): Promise<WorkflowExecutionInfo[]> {
  const rows: WorkflowExecutionInfo[] = [];
  for await (const row of temporal.workflow.list({ query })) rows.push(row);
  return rows;
}
const attribute = (row: WorkflowExecutionInfo | undefined, name: string) => row?.searchAttributes?.[name]?.[0];
const summariesOf = async (workflowId: string, runId?: string) => {
  const { events = [] } = await temporal.workflow.getHandle(workflowId, runId).fetchHistory();
  return (events ?? [])
    .filter((event) => event.activityTaskScheduledEventAttributes)
    .map((event) => JSON.parse(Buffer.from(event.userMetadata?.summary?.data ?? []).toString('utf8')) as string);
};

test('each run is a row with its thread, graph and status, and each superstep an activity that names its nodes', async () => {
  const thread = await platform.thread();
  const first = await platform.run(thread, 'par2', { input: { log: [] } });
  await platform.join(thread, first.run_id);
  const waiting = await until('the waiting run to be listed', async () => {
    const rows = await list(
      `${SEARCH_ATTRIBUTES.waitsForApproval} = true and ${SEARCH_ATTRIBUTES.thread} = "${thread}"`,
    );
    return rows[0];
  });
  expect(attribute(waiting, SEARCH_ATTRIBUTES.run)).toBe(first.run_id);
  expect(attribute(waiting, SEARCH_ATTRIBUTES.graph)).toBe('par2');
  expect(attribute(waiting, SEARCH_ATTRIBUTES.runStatus)).toBe('waiting');

  const metadata = await temporal.workflow
    .getHandle(waiting.workflowId)
    .query<{ currentDetails?: string }>('__temporal_workflow_metadata');
  expect(metadata.currentDetails).toMatch(/qa/);
  expect(metadata.currentDetails).toMatch(/qb/);

  const second = await platform.run(thread, 'chain', { input: { bytes: 10 } });
  await platform.join(thread, second.run_id);
  const rows = await until('both runs to be listed as ended', async () => {
    const found = await list(`${SEARCH_ATTRIBUTES.thread} = "${thread}"`);
    return found.length === 2 && found.every((row) => row.status.name !== 'RUNNING') ? found : undefined;
  });
  const chain = rows.find((row) => attribute(row, SEARCH_ATTRIBUTES.run) === second.run_id);
  expect(attribute(chain, SEARCH_ATTRIBUTES.runStatus)).toBe('success');
  expect(attribute(chain, SEARCH_ATTRIBUTES.waitsForApproval)).toBe(false);
  const summaries = await summariesOf(`thread:${thread}`, chain?.runId);
  expect(summaries).toHaveLength(10);
  expect(summaries[1]).toBe('step 2: n2');
}, 120_000);

test('a failed run is a failed row that names the node', async () => {
  const thread = await platform.thread();
  await platform.wait(thread, 'flaky', { input: { marker: `${service.logFile('server')}.marker`, mode: 'fail' } });
  const row = await until(
    'the failed row',
    async () => (await list(`${SEARCH_ATTRIBUTES.thread} = "${thread}" and ExecutionStatus = "Failed"`))[0],
  );
  expect(attribute(row, SEARCH_ATTRIBUTES.runStatus)).toBe('error');
  const failure = await temporal.workflow
    .getHandle(`thread:${thread}`)
    .result()
    .catch((error: Error & { cause?: Error }) => error.cause?.message);
  expect(failure).toMatch(/"?b"?/);
  expect(failure).toMatch(/Not today/);
}, 120_000);

test('a superstep leaves at most six history events, and no payload over 64 KB', async () => {
  const thread = await platform.thread();
  await platform.wait(thread, 'chain', { input: { bytes: 100_000 } });
  const handle = temporal.workflow.getHandle(`thread:${thread}`);
  await handle.result();
  const { events } = await handle.fetchHistory();
  expect((events ?? []).length).toBeLessThanOrEqual(7 + 10 * 6);
  for (const event of events ?? []) {
    const size = JSON.stringify(event, (_key, value: unknown) =>
      value instanceof Uint8Array ? value.length : value,
    ).length;
    const payloads = event.activityTaskCompletedEventAttributes?.result?.payloads ?? [];
    for (const payload of payloads) expect(payload.data?.length ?? 0).toBeLessThanOrEqual(64 * 1024);
    expect(size).toBeLessThanOrEqual(64 * 1024);
  }
}, 120_000);
