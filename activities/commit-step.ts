// From what a superstep came to, to the one transaction that makes it so.
import {
  deltaValues,
  readValues,
  type CheckpointCommit,
  type CompiledGraph,
  type Interrupt,
  type PlannedTask,
  type RunState,
  type StreamChunk,
  type SuperstepOutcome,
} from '../graph-core/index.js';
import type { Batch } from '../events/batch.js';
import type { LogPosition } from '../events/entry.js';
import { MAX_LISTED, summaryOf } from '../events/progress-payloads.js';
import type { Pause, Run, SettledThread, StepCommit } from '../storage/records.js';
import type { RunProgress, SuperstepResult, WaitingFor } from '../workflows/messages.js';
import { carry } from './carried-values.js';
import type { ActivityDependencies } from './dependencies.js';
import type { EventWriter } from './event-writer.js';
import { Overtaken, RunFailure } from './failures.js';
import { runMetadata } from './run-saver.js';
import type { StepStart } from './state-at.js';
import { checkStateSize, measure } from './state-limits.js';
import type { TaskWrites } from './task-writes.js';
import { toWireValue } from './wire-value.js';

/** A superstep's result goes through the workflow's history. Inline batches are held to 40 KB by the writer. */
const MAX_RESULT_BYTES = 64 * 1024;
/** Names of tasks to come that a label can use; a thousand Sends need not travel for it. */
const MAX_NEXT_NAMES = 50;
/** The record of a run's beginning: its input is saved, none of its nodes has run. */
const BEGINNING = 0;

export interface StepContext {
  readonly deps: ActivityDependencies;
  readonly graph: CompiledGraph;
  readonly run: Run;
  readonly step: number;
  readonly attempt: number;
  /** Pauses of the run so far. */
  readonly pauses: number;
  /** Nodes that run, as far as it is known. */
  readonly nodes: readonly string[];
  readonly writer: EventWriter;
  readonly writes: TaskWrites;
}

/**
 * What a superstep came to. `drained`: the graph asked to stop here. Without a commit it is a graph within that stopped,
 * between supersteps of its own.
 */
export type StepOutcome =
  | SuperstepOutcome
  | {
      readonly kind: 'drained';
      readonly commit?: CheckpointCommit;
      readonly state: RunState;
      readonly thread: SettledThread;
    };

/** Where a run stands that has begun in an earlier attempt of its first superstep. */
export function beginningOf({ lastStep }: Run): RunProgress | undefined {
  if (lastStep?.step !== BEGINNING) return undefined;
  return (lastStep.result as Extract<SuperstepResult, { kind: 'continue' }>).progress;
}

/**
 * Saves the input before a node runs, so that the ids of the first superstep's tasks are the same in every attempt, and
 * their writes belong to a checkpoint that is there. A beginning that made no checkpoint is simply repeated.
 * @returns what is left to be committed with the superstep
 * @throws Overtaken
 */
export async function commitBeginning(context: StepContext, start: StepStart, end: LogPosition): Promise<StepStart> {
  if (start.commits.length === 0) return start;
  const { deps, run, attempt, writer } = context;
  const untracked = await carry(deps, run, context.graph, start.state.saved);
  const progress = progressTo(context, start.state, start.next ?? [], { step: 1, end, untracked });
  const result: SuperstepResult = { kind: 'continue', progress, batches: [] };
  const committed = await deps.steps.commitStep({
    run,
    attempt,
    record: { step: BEGINNING, end, batches: [], result },
    checkpoints: start.commits.map((commit) => marked(run, commit)),
    pendingWrites: start.pendingWrites,
    then: { kind: 'begin' },
  });
  if (committed.kind === 'stale') throw new Overtaken();
  for (const { chunks } of start.commits) for (const chunk of chunks) writer.chunk(chunk);
  return { ...start, commits: [], pendingWrites: [] };
}

export async function commitOutcome(
  context: StepContext,
  start: StepStart,
  outcome: StepOutcome,
  held: readonly StreamChunk[],
): Promise<SuperstepResult> {
  const { deps, run, step, attempt, nodes, writer, writes } = context;
  const { saved } = outcome.state;
  const whole = deltaValues(context.graph, saved);
  checkStateSize(measure(whole.checkpoint.channel_values).bytes, deps.settings.maxStateBytes, nodes);

  const commits = [...start.commits, ...(outcome.commit ? [outcome.commit] : [])];
  const told = outcome.kind === 'interrupted' ? [...held, ...outcome.chunks] : held;
  writer.announceAfterCommit([...commits.flatMap(({ chunks }) => chunks), ...told]);
  const pause = outcome.kind === 'interrupted' ? pauseOf(context, outcome) : undefined;
  if (pause) writer.progress('run.paused', { pause: pause.number, interrupts: summaries(pause), next: pause.next });
  if (outcome.kind === 'done') writer.progress('run.completed', {});
  if (outcome.kind === 'drained') writer.progress('run.cancelled', { reason: 'drained' });
  const batches = await writer.close();

  const untracked = outcome.kind === 'continue' ? await carry(deps, run, context.graph, saved) : undefined;
  const result = resultOf(context, outcome, { pause, batches, untracked });
  const committed = await deps.steps.commitStep({
    run,
    attempt,
    record: { step, end: writer.end, batches, result },
    checkpoints: commits.map((commit) => marked(run, commit)),
    pendingWrites: [...start.pendingWrites, ...writes.toCommit],
    ...((writer.journaled || attempt > 1) && { journal: 'written' }),
    then: followUp(context, outcome, pause),
  });
  if (committed.kind === 'stale') return overtaken(committed.run, step);
  writer.committed();
  if (outcome.kind !== 'done' && outcome.kind !== 'drained')
    await deps.cache.remember({ ...whole, pendingWrites: [], metadata: { ...runMetadata(run), ...saved.metadata } });
  return result;
}

/**
 * Another attempt has committed the superstep, or the run has been ended meanwhile.
 * @throws Overtaken when this attempt was given up for dead and a later one is under way
 */
function overtaken(run: Run | null, step: number): SuperstepResult {
  if (run?.lastStep?.step === step) return run.lastStep.result as SuperstepResult;
  if (run === null || run.endedAt !== null) return { kind: 'gone' };
  throw new Overtaken();
}

type Interrupted = Extract<SuperstepOutcome, { kind: 'interrupted' }>;

const pauseOf = ({ pauses }: StepContext, { interrupts, next }: Interrupted): Pause => ({
  number: pauses + 1,
  at: new Date(),
  interrupts: interrupts.map(({ id, node, value }) => ({ id: id ?? '', node, value: toWireValue(value) })),
  next: next.map(({ node }) => node),
});

const summaries = ({ interrupts }: Pause) =>
  interrupts.slice(0, MAX_LISTED).map(({ id, node, value }) => ({ id, node, summary: summaryOf(value) }));

function followUp(context: StepContext, outcome: StepOutcome, pause: Pause | undefined): StepCommit['then'] {
  if (outcome.kind === 'continue') return { kind: 'continue' };
  if (outcome.kind === 'drained') return { kind: 'settle', state: 'interrupted', thread: outcome.thread };
  const values = toWireValue(readValues(context.graph, outcome.state.saved));
  if (outcome.kind === 'done' || pause === undefined) {
    return { kind: 'settle', state: 'success', thread: { values, interrupts: {}, next: [] } };
  }
  const asked = [...context.writes.questions].map(([taskId, questions]) => [taskId, questions.map(shown)] as const);
  return { kind: 'pause', pause, thread: { values, interrupts: Object.fromEntries(asked), next: pause.next } };
}

const shown = ({ id, value }: Interrupt): SettledThread['interrupts'][string][number] => ({
  ...(id !== undefined && { id }),
  value: toWireValue(value),
});

interface Closing {
  readonly pause: Pause | undefined;
  readonly batches: readonly Batch[];
  /** Of {@link carry}. */
  readonly untracked: string | undefined;
}

function resultOf(context: StepContext, outcome: StepOutcome, { pause, batches, untracked }: Closing): SuperstepResult {
  const { end } = context.writer;
  const at = { step: context.step + 1, end, untracked };
  const result = ((): SuperstepResult => {
    switch (outcome.kind) {
      case 'continue':
        return { kind: 'continue', progress: progressTo(context, outcome.state, outcome.next, at), batches };
      case 'interrupted': {
        const progress = { ...progressTo(context, outcome.state, outcome.next, at), pauses: context.pauses + 1 };
        return { kind: 'paused', progress, waitingFor: pause ? waitingFor(pause) : [], batches };
      }
      case 'done':
        return { kind: 'done', end, batches };
      case 'drained':
        return { kind: 'drained', end, batches };
    }
  })();
  const bytes = Buffer.byteLength(JSON.stringify(result));
  if (bytes > MAX_RESULT_BYTES) {
    throw new RunFailure(
      'RESULT_TOO_LARGE',
      `The superstep's result takes ${bytes} bytes; at most ${MAX_RESULT_BYTES} fit the workflow's history.`,
    );
  }
  return result;
}

const waitingFor = (pause: Pause): readonly WaitingFor[] =>
  summaries(pause).map(({ id, node, summary }) => ({ interruptId: id, node, summary }));

interface Position {
  readonly step: number;
  readonly end: LogPosition;
  readonly untracked?: string | undefined;
}

const progressTo = (
  { pauses }: StepContext,
  { saved, stop, replay }: RunState,
  next: readonly PlannedTask[],
  { step, end, untracked }: Position,
): RunProgress => ({
  step,
  checkpointId: saved.checkpoint.id,
  stop,
  end,
  next: next.slice(0, MAX_NEXT_NAMES).map(({ node }) => node),
  pauses,
  ...(replay && { replay }),
  ...(untracked !== undefined && { untracked }),
});

const marked = (
  run: Run,
  { parentConfig, checkpoint, metadata, newVersions }: CheckpointCommit,
): StepCommit['checkpoints'][number] => ({
  parentConfig,
  checkpoint,
  metadata: { ...runMetadata(run), ...metadata },
  newVersions,
});
