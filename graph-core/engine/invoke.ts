// The in-process driver: begins a run, takes it from superstep to superstep, and saves. A graph called in a node of
// another is driven here too, also where that one runs durably.
import { CallbackManager, type CallbackManagerForChainRun } from '@langchain/core/callbacks/manager';
import type { BaseCheckpointSaver } from '@langchain/langgraph-checkpoint';
import type { Serialized } from '@langchain/core/load/serializable';
import { batchedStore } from '../batched-store.js';
import { isCommand } from '../command.js';
import { INPUT } from '../constants.js';
import { GraphInterrupt } from '../errors.js';
import type { StreamChunk, StreamMode } from '../stream-mode.js';
import { beginRun } from './begin-run.js';
import { StreamMessagesHandler } from '../messages/stream-messages-handler.js';
import { asRecord } from './call-node.js';
import { checkContext, checkInput } from './check-input.js';
import { callConfig, durabilityOf, type CallConfig, type CallOptions } from './call-options.js';
import { checkSerializable, checkWrites } from './check-serializable.js';
import { CheckpointWriter } from './checkpoint-writer.js';
import type { ExecutableGraph } from './executable-graph.js';
import { GraphObservers, goesOn } from './graph-observers.js';
import { liveState, readChannels, type Keys } from './live-state.js';
import { callNamespace, lastingNamespace, parentNamespace } from './namespaces.js';
import { loadReplayed } from './replay-point.js';
import { withDeltas } from './delta-channels.js';
import { loadState, savedOf } from './saved-state.js';
import { runSuperstep } from './superstep.js';
import type { RunInput, RunOptions, SavedState, SuperstepOutcome, SuperstepPorts } from './superstep-contract.js';
import { requireBreakpoints, requireChannels } from './validate-spec.js';
import { taskContextOf, type TaskContext } from './task-context.js';

/** A call of a graph, made ready. */
export interface GraphCall {
  readonly input: unknown;
  readonly options: CallOptions;
  readonly streamModes: readonly StreamMode[];
  readonly outputKeys?: Keys;
  readonly signal: AbortSignal;
  readonly emit: (chunk: StreamChunk) => void;
  /** How LangChain's callbacks see the graph. */
  readonly serialized: Serialized;
}

/** @throws whatever ends the run but an interrupt at the root; GraphBubbleUp for the graph around a nested one. */
export async function driveGraph(graph: ExecutableGraph, call: GraphCall): Promise<void> {
  const given = callConfig(graph.config, call.options);
  const { outputKeys, interruptBefore, interruptAfter } = call.options;
  if (outputKeys !== undefined && outputKeys !== null) requireChannels(graph, outputKeys);
  requireBreakpoints('interruptBefore', interruptBefore);
  requireBreakpoints('interruptAfter', interruptAfter);
  const parent = taskContextOf(given);
  const saver = saverFor(graph, parent);
  const { config, saved, resumes } = await locate(graph, given, parent, saver);
  const input = await checkInput(graph, inputOf(call.input, resumes));
  await checkContext(graph, config);
  const run = await startRun(graph, call, config);
  if (resumes && saved) knowMessages(config, saved);
  try {
    const outcome = await driveFrom(graph, call, {
      input,
      config: withCallbacks(config, run),
      parent,
      saver,
      saved,
      resumes,
      observers: new GraphObservers(run),
    });
    await run?.handleChainEnd(asRecord(outputOf(graph, call, outcome), 'output'));
  } catch (error) {
    await run?.handleChainError(error);
    throw error;
  }
}

interface Located {
  readonly config: CallConfig;
  readonly saved: SavedState | undefined;
  /**
   * A nested graph goes on from where it is, whatever its input: it had begun in this very task, or it has a state and the
   * run around it goes on.
   */
  readonly resumes: boolean;
}

interface Run extends Located {
  readonly input: RunInput;
  readonly parent: TaskContext | undefined;
  readonly saver: BaseCheckpointSaver | undefined;
  readonly observers: GraphObservers;
}

async function driveFrom(graph: ExecutableGraph, call: GraphCall, run: Run): Promise<SuperstepOutcome> {
  const { parent, saver, saved, config } = run;
  const durability = durabilityOf(call.options, parent?.durability);
  const { options, emit } = streaming(call, parent, { ...runOptions(call, config), durability });
  const writer = new CheckpointWriter(saver, durability);
  const deltas = durability === 'exit' ? 'whole' : 'replayed';
  let at = saved?.config ?? config;
  const store = config.store ?? graph.store;
  const ports: SuperstepPorts = {
    saver,
    store: store && batchedStore(store),
    cache: call.options.cache ?? graph.cache,
    control: config.control,
    emit,
    signal: call.signal,
    retries: 'inline',
    ...(saver && { checkWrite: checkSerializable }),
    deltas,
    saveWrites: (taskId, writes, { taskPath }) => writer.putWrites(at, writes, taskId, taskPath),
  };
  let left: 'done' | 'interrupted' | 'failed' = 'failed';
  try {
    const begun = beginRun(graph, saved, run.input, options, {
      saver,
      deltas,
      answer: run.resumes ? parent?.answers.untaken : undefined,
    });
    for (const { config: target, taskId, writes } of begun.pendingWrites) {
      if (saver) checkWrites(graph.spec, INPUT, writes);
      writer.putWrites(target, writes, taskId, '');
    }
    for (const commit of begun.commits) {
      writer.put(commit);
      commit.chunks.forEach(emit);
    }
    begun.chunks.forEach(emit);
    if (goesOn(run.input, saved)) await run.observers.resumed(begun.state.saved);

    let { state } = begun;
    for (;;) {
      at = state.saved.config;
      const outcome = await runSuperstep(graph, state, options, ports);
      if ('commit' in outcome && outcome.commit) {
        writer.put(outcome.commit);
        if (durability === 'sync') await writer.settled();
        outcome.commit.chunks.forEach(emit);
      }
      if (outcome.kind === 'interrupted') {
        if (parent) throw new GraphInterrupt(outcome.interrupts.map(({ node: _node, ...asked }) => asked));
        outcome.chunks.forEach(emit);
        await run.observers.interrupted(outcome, state.saved, options.interruptAfter ?? graph.interruptAfter);
      }
      if (outcome.kind !== 'continue') {
        left = outcome.kind;
        return outcome;
      }
      state = outcome.state;
    }
  } finally {
    const keeps = left !== 'done' || parent === undefined || graph.checkpointer === true;
    const closing = writer.close(keeps);
    // What failed the run is told before what failed to be saved.
    await (left === 'failed' ? closing.catch(() => undefined) : closing);
  }
}

function runOptions(call: GraphCall, config: CallConfig): RunOptions {
  const { interruptBefore, interruptAfter, subgraphs } = call.options;
  return {
    config,
    streamModes: call.streamModes,
    streamSubgraphs: subgraphs === true,
    interruptBefore,
    interruptAfter,
    events: call.options.version === 'v3' ? 'protocol' : 'in graphs',
    outputKeys: call.outputKeys,
  };
}

/** Chunks go to the caller in the modes it asked for, and to the graphs around in theirs. */
function streaming(
  { emit, streamModes }: GraphCall,
  parent: TaskContext | undefined,
  options: RunOptions,
): { readonly options: RunOptions; readonly emit: (chunk: StreamChunk) => void } {
  const outer = parent?.stream;
  if (outer === undefined) return { options, emit };
  const own = new Set(streamModes);
  return {
    options: { ...options, streamModes: [...new Set([...streamModes, ...[...outer.modes].filter(isEngines)])] },
    emit: (chunk) => {
      if (own.has(chunk.mode)) emit(chunk);
      if (outer.modes.has(chunk.mode) && isEngines(chunk.mode)) outer.emit(chunk);
    },
  };
}

/** The others come to the outer stream by its own handlers, which the callbacks bring along. */
const isEngines = (mode: StreamMode): boolean => mode !== 'messages' && mode !== 'tools';

function inputOf(input: unknown, resumes: boolean): RunInput {
  if (isCommand(input)) return { kind: 'command', command: input };
  if (resumes || input === null || input === undefined) return { kind: 'nothing' };
  return { kind: 'input', value: input };
}

/** Where the graph's checkpoints are, and the one it starts from. */
async function locate(
  graph: ExecutableGraph,
  given: CallConfig,
  parent: TaskContext | undefined,
  saver: BaseCheckpointSaver | undefined,
): Promise<Located> {
  if (parent === undefined) {
    const { checkpoint_ns: ns, ...configurable } = given.configurable ?? {};
    // A namespace and the checkpoint in it are of a nested graph: this is a root.
    if (ns) delete configurable['checkpoint_id'];
    const config = { ...given, configurable: { ...configurable, checkpoint_ns: '' } };
    return { config, saved: saver && (await loadState(graph, saver, config)), resumes: false };
  }
  const base = graph.checkpointer === true ? lastingNamespace(parent.checkpointNs) : parent.checkpointNs;
  const ns = callNamespace(base, parent.subgraphCalls);
  parent.subgraphCalls += 1;
  const map = given.configurable?.['checkpoint_map'] as Readonly<Record<string, string>> | undefined;
  const named = map?.[ns];
  const config = { ...given, configurable: { ...given.configurable, checkpoint_ns: ns, checkpoint_id: named } };
  if (saver === undefined) return { config, saved: undefined, resumes: false };
  if (named === undefined && parent.replay !== undefined) {
    const tuple = await loadReplayed(parent.replay, saver, config);
    return { config, saved: tuple && (await withDeltas(graph, saver, savedOf(tuple))), resumes: false };
  }
  const saved = await loadState(graph, saver, config);
  const above = parentNamespace(parent.checkpointNs);
  const sameTask = saved !== undefined && saved.metadata.parents[above] === map?.[above];
  const resumes = named !== undefined || sameTask || (saved !== undefined && parent.resumed === true);
  return { config, saved, resumes };
}

function saverFor({ checkpointer }: ExecutableGraph, parent: TaskContext | undefined): BaseCheckpointSaver | undefined {
  if (checkpointer === false) return undefined;
  if (parent?.saver !== undefined) return parent.saver;
  if (checkpointer === true) throw new Error('checkpointer: true cannot be used for root graphs.');
  if (checkpointer && typeof checkpointer.getTuple !== 'function') {
    throw new Error(
      'The checkpointer of the graph is none: it has no getTuple(). Compile it with one such as MemorySaver.',
    );
  }
  return checkpointer;
}

/** What the graph had before it resumed was streamed when it was made. */
function knowMessages({ callbacks, configurable }: CallConfig, { checkpoint, pendingWrites }: SavedState): void {
  const ns = (configurable?.['checkpoint_ns'] as string | undefined) ?? '';
  const values = [...Object.values(checkpoint.channel_values), ...pendingWrites.map(([, , value]) => value)];
  for (const handler of CallbackManager._configureSync(callbacks)?.handlers ?? [])
    if (handler instanceof StreamMessagesHandler) handler.resumes(ns, values);
}

async function startRun(
  graph: ExecutableGraph,
  { input, serialized }: GraphCall,
  { callbacks, tags, metadata, runId, runName }: CallConfig,
): Promise<CallbackManagerForChainRun | undefined> {
  const manager = CallbackManager._configureSync(callbacks, undefined, tags, undefined, metadata);
  return manager?.handleChainStart(
    serialized,
    asRecord(input, 'input'),
    runId,
    undefined,
    undefined,
    undefined,
    runName ?? graph.name,
  );
}

const withCallbacks = (config: CallConfig, run: CallbackManagerForChainRun | undefined): CallConfig =>
  run ? { ...config, callbacks: run.getChild() } : config;

function outputOf(graph: ExecutableGraph, call: GraphCall, { state }: SuperstepOutcome): unknown {
  const { channels } = liveState(graph.spec, state.saved.checkpoint);
  return readChannels(channels, call.outputKeys ?? graph.spec.streamChannels);
}
