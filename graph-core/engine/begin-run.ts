// How a run begins, before any node runs: new input, a Command, or going on where a thread stopped. Values in, values
// out: what has to be saved and told is in the result.
import type { BaseCheckpointSaver, CheckpointPendingWrite, PendingWrite } from '@langchain/langgraph-checkpoint';
import { ERROR_SOURCE_NODE, INPUT, INTERRUPT, isTaskOutput, NULL_TASK_ID, RESUME } from '../constants.js';
import { EmptyInputError } from '../errors.js';
import { applyWrites, type Write } from './apply-writes.js';
import { commandWrites } from './command-writes.js';
import { Announcement, draftCheckpoint, type Storage } from './commit.js';
import { deltaPlan, deltasAmong } from './delta-channels.js';
import type { ExecutableGraph } from './executable-graph.js';
import { isResumeMap } from './interrupt-id.js';
import { remember, stateUnder } from './live-state.js';
import { passBreakpoints, planTasks } from './plan-tasks.js';
import { DEFAULT_RECURSION_LIMIT, nextStep, nextVersionOf, nothingSaved, stateOf } from './saved-state.js';
import { requireOpenQuestions, wantsStrictResume } from './strict-resume.js';
import { namespaceOf } from './superstep-scope.js';
import type { BegunRun, DeltaStorage, RunInput, RunOptions, RunState, SavedState } from './superstep-contract.js';
import { inputWrites } from './input-writes.js';
import { taskContextOf } from './task-context.js';

/** What beginning needs to know of the world. */
export interface BeginPorts {
  /** As of SuperstepPorts. */
  readonly deltas?: DeltaStorage;
  /** Absent, with nothing saved: a graph without memory. */
  readonly saver?: BaseCheckpointSaver;
  /** For a graph called in a task: the answer that the task got and has not taken. */
  readonly answer?: { readonly value: unknown };
}

/**
 * @param saved What `loadSaved` gave for the run's config.
 * @param input As {@link checkInput} gave it.
 * @throws EmptyInputError when there is nothing to start or to go on with; InvalidUpdateError for a Command to a parent;
 *   UnknownInterruptError for an answer that fits no question, under strict rules.
 */
export function beginRun(
  graph: ExecutableGraph,
  saved: SavedState | undefined,
  input: RunInput,
  options: RunOptions,
  ports: BeginPorts = {},
): BegunRun {
  const { recursionLimit: limit = DEFAULT_RECURSION_LIMIT } = options.config;
  // So that what is no number is refused too: with it, a loop would never end.
  if (!(typeof limit === 'number' && limit >= 1)) throw new Error('Passed "recursionLimit" must be at least 1.');
  const storage = saved !== undefined || ports.saver !== undefined ? 'saved' : 'passing';
  const start = saved ?? nothingSaved(options.config);
  // The input's step counts, and the number after the last one is still planned.
  const stop = nextStep(start) + limit + 2;
  const beginning: Beginning = { graph, options, ports, storage, saved: start, stop };
  if (input.kind === 'input' && input.value !== undefined && input.value !== null) {
    return withInput(beginning, input.value);
  }
  if (input.kind !== 'command' && !hasStarted(start)) {
    throw new EmptyInputError(`Received no input writes for ${JSON.stringify(graph.spec.inputChannel)}`);
  }
  return goOn(beginning, input.kind === 'command' ? input : undefined);
}

interface Beginning {
  readonly graph: ExecutableGraph;
  readonly options: RunOptions;
  readonly ports: BeginPorts;
  readonly storage: Storage;
  readonly saved: SavedState;
  readonly stop: number;
}

const hasStarted = ({ checkpoint }: SavedState): boolean => Object.keys(checkpoint.channel_versions).length > 0;

/** A graph within one that goes on hands it on from its first superstep, even if it has begun anew. */
const resumedAround = ({ config }: RunOptions): boolean => taskContextOf(config)?.resumed === true;

/** New input: whatever was waiting is given up, the state stays. */
function withInput({ graph, options, ports, storage, saved, stop }: Beginning, value: unknown): BegunRun {
  const nextVersion = nextVersionOf(ports.saver);
  const state = stateOf(graph, saved, nextVersion);
  const ns = namespaceOf(options);
  const step = nextStep(saved);
  const givenUp = planTasks(graph, state, { step, ns }).map((task) => ({ ...task, writes: [] }));
  const given = { name: INPUT, triggers: [], writes: inputWrites(graph.spec, value) };
  const applied = applyWrites(state, [...givenUp, given], nextVersion, graph.triggered);
  const deltas = deltaPlan(graph.spec, applied.state, saved, {
    storage: ports.deltas ?? 'whole',
    updated: applied.updated,
    forced: pendingDeltas(graph, saved.pendingWrites),
    nextVersion,
  });
  const draft = draftCheckpoint(applied.state, saved, { step, source: 'input' }, options, deltas);
  const announcement = new Announcement(graph, options, draft.saved, storage);
  const next = planTasks(graph, draft.state, { step: step + 1, ns, updated: applied.updated });
  announcement.checkpoint(draft.state, next);
  const { id } = draft.saved.checkpoint;
  const replay = travelsInTime(saved, options, false) ? { before: id, from: id } : undefined;
  return {
    commits: [{ ...draft.commit, chunks: announcement.chunks }],
    pendingWrites: [],
    state: { saved: draft.saved, stop, resumed: resumedAround(options), updated: applied.updated, replay },
    chunks: [],
  };
}

const pendingDeltas = ({ spec }: ExecutableGraph, pendingWrites: SavedState['pendingWrites']): ReadonlySet<string> =>
  deltasAmong(
    spec,
    pendingWrites.map(([, channel]) => channel),
  );

type CommandInput = Extract<RunInput, { kind: 'command' }>;

/** From a checkpoint that is there: with a Command, or to finish what is unfinished. */
function goOn(beginning: Beginning, input: CommandInput | undefined): BegunRun {
  const { graph, options, ports, storage, saved } = beginning;
  const command = input?.command;
  const answered = command?.resume !== undefined && command.resume !== null;
  if (answered && storage === 'passing') throw new Error('Cannot use Command(resume=...) without checkpointer');
  const strict =
    answered && saved.superseded !== true && namespaceOf(options) === '' && wantsStrictResume(options.config);
  if (strict) requireOpenQuestions(command.resume, saved.pendingWrites);
  const given = command ? commandWrites(command, saved.pendingWrites) : new Map<string, Write[]>();
  if (command && given.size === 0) throw new EmptyInputError('Received empty Command input');

  const travels = travelsInTime(saved, options, answered);
  const edited = saved.metadata.source === 'update' || saved.metadata.source === 'fork';
  const resumes = hasStarted(saved) && (command === undefined || answered);
  const forks = travels && (!edited || saved.superseded === true);
  if (ports.answer !== undefined && !forks) given.set(NULL_TASK_ID, [[RESUME, ports.answer.value]]);

  const pending = withWrites(pendingOf(saved, travels), given);
  const from = passed(graph, { ...saved, pendingWrites: pending }, ports);
  const position: RunState = {
    saved: from,
    stop: beginning.stop,
    resumeMap: command && isResumeMap(command.resume) ? command.resume : undefined,
    resumed: namespaceOf(options) === '' ? resumes : resumedAround(options),
  };
  const before = travels && namespaceOf(options) === '' ? replayedFrom(saved, edited) : undefined;
  // A fork holds what the Command wrote; it is not written to the checkpoint that it leaves.
  const kept =
    forks || !hasStarted(saved) ? [] : [...given].map(([taskId, writes]) => pendingOn(saved, taskId, writes));
  const sources = [...(forks ? (['fork'] as const) : []), ...(resumes ? [] : (['input'] as const))];
  const begun = positioned(beginning, position, sources, kept);
  if (before === undefined) return begun;
  return { ...begun, state: { ...begun.state, replay: { before, from: begun.state.saved.checkpoint.id } } };
}

/** Saves the position as checkpoints of these sources, one upon the other, and tells where the run stands. */
function positioned(
  { graph, options, ports, storage, saved: loaded }: Beginning,
  position: RunState,
  sources: readonly ('fork' | 'input')[],
  pendingWrites: BegunRun['pendingWrites'],
): BegunRun {
  const commits: BegunRun['commits'][number][] = [];
  let state = stateOf(graph, position.saved, nextVersionOf(ports.saver));
  let { saved } = position;
  for (const source of sources) {
    const deltas = deltaPlan(graph.spec, state, saved, {
      storage: ports.deltas ?? 'whole',
      updated: new Set(),
      // What a Command wrote stays with the checkpoint if it was saved there.
      forced: pendingDeltas(graph, [
        ...loaded.pendingWrites,
        ...(pendingWrites.length > 0 ? [] : position.saved.pendingWrites),
      ]),
      nextVersion: nextVersionOf(ports.saver),
    });
    const draft = draftCheckpoint(state, saved, { step: nextStep(saved), source }, options, deltas);
    ({ state, saved } = draft);
    commits.push({ ...draft.commit, chunks: [] });
  }
  // Answers belong to tasks, whose ids follow from the checkpoint: those given with a fork go to the fork.
  const answer = ports.answer;
  const carried = answer !== undefined && sources.length > 0 && pendingWrites.length === 0;
  if (carried) saved = { ...saved, pendingWrites: [[NULL_TASK_ID, RESUME, answer.value]] };

  const shown = commits.length > 0 ? [] : outdated(loaded, saved);
  const announcement = new Announcement(
    graph,
    options,
    { ...saved, pendingWrites: [...shown, ...saved.pendingWrites] },
    storage,
  );
  const exact =
    commits.length > 0 ||
    saved.pendingWrites.every(([taskId, channel]) => taskId !== NULL_TASK_ID || channel === RESUME);
  announcement.values(state, exact ? 'saved' : 'ahead');
  const tasks = planTasks(graph, state, { step: nextStep(saved), ns: namespaceOf(options) });
  announcement.checkpoint(state, tasks, commits.length === 0 ? 'loaded' : 'made');
  const last = commits.at(-1);
  if (last) commits[commits.length - 1] = { ...last, chunks: announcement.chunks };
  return { commits, pendingWrites, state: { ...position, saved }, chunks: last ? [] : announcement.chunks };
}

/** With the breakpoints of this checkpoint behind it, those that a Command's own writes would meet included. */
function passed(graph: ExecutableGraph, saved: SavedState, { saver }: BeginPorts): SavedState {
  const plain = stateOf(graph, { ...saved, pendingWrites: [] });
  const past = passBreakpoints(stateOf(graph, saved, nextVersionOf(saver))).seen.get(INTERRUPT) ?? {};
  const state = stateUnder(saved.checkpoint, { ...plain, seen: plain.seen.with(new Map([[INTERRUPT, past]])) });
  return { ...saved, checkpoint: remember(state).checkpoint };
}

/**
 * Whether the run starts from an earlier checkpoint than the thread's head, or from one that was edited, so that what ran
 * after it has to run again.
 */
function travelsInTime(saved: SavedState, { config }: RunOptions, answered: boolean): boolean {
  const { checkpoint_id, checkpoint_ns, checkpoint_map } = config.configurable ?? {};
  if (checkpoint_ns && (checkpoint_map as object | undefined) && checkpoint_ns in checkpoint_map) return true;
  if (!checkpoint_id || answered) return false;
  return saved.superseded === true || saved.metadata.source === 'update' || saved.metadata.source === 'fork';
}

/** Where the run is sent back to; an edit stands for the checkpoint that was edited. */
function replayedFrom(saved: SavedState, edited: boolean): string {
  const parent = saved.parentConfig?.configurable?.['checkpoint_id'] as string | undefined;
  return (edited ? parent : undefined) ?? saved.checkpoint.id;
}

/** In a time travel tasks run again and ask again: neither their results nor their answers count. */
function pendingOf(saved: SavedState, travels: boolean): readonly CheckpointPendingWrite[] {
  const stale = (channel: string): boolean => channel === RESUME && travels;
  const again = travels || saved.superseded === true;
  const ran = (channel: string): boolean => isTaskOutput(channel) || channel === ERROR_SOURCE_NODE;
  return saved.pendingWrites.filter(
    ([taskId, channel]) => !stale(channel) && (!again || taskId === NULL_TASK_ID || !ran(channel)),
  );
}

/** What tasks wrote that run again; the checkpoint still shows it. */
function outdated(loaded: SavedState, { pendingWrites }: SavedState): readonly CheckpointPendingWrite[] {
  return loaded.pendingWrites.filter((write) => isTaskOutput(write[1]) && !pendingWrites.includes(write));
}

function withWrites(
  pending: readonly CheckpointPendingWrite[],
  given: ReadonlyMap<string, readonly Write[]>,
): readonly CheckpointPendingWrite[] {
  if (given.size === 0) return pending;
  const added = [...given].flatMap(([taskId, writes]) =>
    writes.map(([channel, value]): CheckpointPendingWrite => [taskId, channel, value]),
  );
  return [...pending.filter(([taskId]) => !given.has(taskId)), ...added];
}

const pendingOn = (saved: SavedState, taskId: string, writes: readonly Write[]): BegunRun['pendingWrites'][number] => ({
  config: saved.config,
  taskId,
  writes: writes as PendingWrite[],
});
