// Graphs as data, without the builder: what the engine sees.
import { MemorySaver, type PendingWrite } from '@langchain/langgraph-checkpoint';
import {
  BinaryOperatorAggregate,
  EphemeralValue,
  LastValue,
  type Channel,
} from '../../../graph-core/channels/index.js';
import { branchTo, START, TASKS } from '../../../graph-core/constants.js';
import { beginRun } from '../../../graph-core/engine/begin-run.js';
import { CompiledGraph, type CompileOptions } from '../../../graph-core/engine/compiled-graph.js';
import type { NodeSpec, WriterContext } from '../../../graph-core/engine/graph-spec.js';
import type { NodeConfig } from '../../../graph-core/engine/node-config.js';
import { runSuperstep } from '../../../graph-core/engine/superstep.js';
import type {
  RunInput,
  RunOptions,
  RunState,
  SuperstepOutcome,
  SuperstepPorts,
} from '../../../graph-core/engine/superstep-contract.js';
import { NodeFunction } from '../../../graph-core/graph/node-function.js';
import { type Send } from '../../../graph-core/send.js';
import type { StreamChunk } from '../../../graph-core/stream-mode.js';

export interface HandBuiltNode {
  readonly run: (input: never, config: NodeConfig) => unknown;
  /** Nodes that follow, or Sends made of the output. */
  readonly then?: readonly string[] | ((output: unknown) => readonly Send[]);
  readonly retryPolicy?: NodeSpec['retryPolicy'];
}

/** State: `log`, a list that grows, and `last`, which takes one value per superstep. */
export function graphOf(
  nodes: Readonly<Record<string, HandBuiltNode>>,
  first: readonly string[],
  options: CompileOptions = {},
): CompiledGraph {
  const channels: Record<string, Channel> = {
    log: new BinaryOperatorAggregate(
      (a: string[], b: string[]) => [...a, ...b],
      () => [] as string[],
    ),
    last: new LastValue(),
    [START]: new EphemeralValue(),
  };
  for (const name of Object.keys(nodes)) channels[branchTo(name)] = new EphemeralValue(false);
  const start: NodeSpec = {
    name: START,
    triggers: [START],
    reads: START,
    tags: ['langsmith:hidden'],
    writers: [writeKeys, leadTo(first)],
  };
  const specs = Object.entries(nodes).map(([name, { run, then = [], retryPolicy }]): NodeSpec => ({
    name,
    triggers: [branchTo(name)],
    reads: ['log', 'last'],
    bound: new NodeFunction(name, run),
    writers: [writeKeys, leadTo(then)],
    retryPolicy,
  }));
  return new CompiledGraph(
    {
      channels,
      nodes: Object.fromEntries([start, ...specs].map((node) => [node.name, node])),
      inputChannel: START,
      outputChannels: ['log', 'last'],
      streamChannels: ['log', 'last'],
    },
    options,
  );
}

function writeKeys(output: unknown, { write }: WriterContext): void {
  for (const [key, value] of Object.entries((output as Record<string, unknown> | null) ?? {})) write(key, value);
}

const leadTo =
  (then: NonNullable<HandBuiltNode['then']>) =>
  (output: unknown, { write }: WriterContext): void => {
    if (typeof then === 'function') for (const send of then(output)) write(TASKS, send);
    else for (const node of then) write(branchTo(node), null);
  };

/** The world of a superstep, played by hand: what was saved and told can be looked at. */
export class PlayedPorts implements SuperstepPorts {
  readonly saver = new MemorySaver();
  readonly signal: AbortSignal;
  readonly chunks: StreamChunk[] = [];
  readonly saved: { readonly taskId: string; readonly writes: readonly PendingWrite[] }[] = [];
  readonly retries: SuperstepPorts['retries'];
  readonly failedAttempts?: SuperstepPorts['failedAttempts'];
  checkWrite?: SuperstepPorts['checkWrite'];

  constructor(fields: Partial<Pick<SuperstepPorts, 'retries' | 'failedAttempts' | 'signal' | 'checkWrite'>> = {}) {
    this.retries = fields.retries ?? 'inline';
    this.failedAttempts = fields.failedAttempts;
    this.signal = fields.signal ?? new AbortController().signal;
    this.checkWrite = fields.checkWrite;
  }

  saveWrites(taskId: string, writes: readonly PendingWrite[]): void {
    this.saved.push({ taskId, writes });
  }

  emit(chunk: StreamChunk): void {
    this.chunks.push(chunk);
  }
}

export const options = (more: Partial<RunOptions> = {}): RunOptions => ({
  config: { configurable: { thread_id: 't', checkpoint_ns: '' } },
  streamModes: ['values', 'updates'],
  streamSubgraphs: false,
  ...more,
});

/** A new thread after START: where the first nodes run. */
export async function started(
  graph: CompiledGraph,
  input: unknown = {},
  ports: SuperstepPorts = new PlayedPorts(),
  run: RunOptions = options(),
): Promise<RunState> {
  const given: RunInput = { kind: 'input', value: input };
  const outcome = await runSuperstep(graph, beginRun(graph, undefined, given, run, ports).state, run, ports);
  if (outcome.kind !== 'continue') throw new Error(`START ended the run: ${outcome.kind}`);
  return outcome.state;
}

/** A position as another process would have it after this one died: the checkpoint read again, with what was saved. */
export const recovered = ({ saved, stop }: RunState, { saved: writes }: PlayedPorts): RunState => ({
  stop,
  saved: {
    ...saved,
    checkpoint: JSON.parse(JSON.stringify(saved.checkpoint)) as RunState['saved']['checkpoint'],
    pendingWrites: writes.flatMap(({ taskId, writes: own }) =>
      own.map(([channel, value]): [string, string, unknown] => [taskId, channel, value]),
    ),
  },
});

/** A node that waits until the test says how it goes on. */
export class Gate {
  readonly reached: Promise<void>;
  private pass: () => void = () => undefined;
  private arrive: () => void = () => undefined;
  private readonly passed: Promise<void>;

  constructor() {
    this.reached = new Promise((resolve) => (this.arrive = resolve));
    this.passed = new Promise((resolve) => (this.pass = resolve));
  }

  async wait(): Promise<void> {
    this.arrive();
    await this.passed;
  }

  open(): void {
    this.pass();
  }
}

export const valuesOf = (outcome: SuperstepOutcome): unknown => outcome.state.saved.checkpoint.channel_values;
