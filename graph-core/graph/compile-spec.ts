// From what the author added to the data that the engine runs.
import type { Runnable } from '@langchain/core/runnables';
import { NamedBarrierValueAfterFinish } from '../channels/barrier-after-finish.js';
import { NamedBarrierValue } from '../channels/barrier.js';
import type { Channel } from '../channels/channel.js';
import { EphemeralValue } from '../channels/ephemeral.js';
import { LastValueAfterFinish } from '../channels/last-value-after-finish.js';
import { branchTo, END, ROOT, START, TAG_HIDDEN } from '../constants.js';
import type { GraphSpec, NodeSpec, NodeWriter } from '../engine/graph-spec.js';
import type { StateDefinition } from './annotation.js';
import type { Branch } from './branch.js';
import type { StateGraphNode } from './node-action.js';
import { barrierChannel, barrierWriter, branchWriter, commandWriter, edgeWriter, stateWriter } from './node-writers.js';
import type { GraphSchemas } from './resolve-definitions.js';
import { contextParser, inputParser, updateParser } from './validation.js';

/** The parts of a builder. */
export interface GraphParts {
  /** Channels of all schemas, by state key. */
  readonly channels: Readonly<Record<string, Channel>>;
  readonly nodes: Readonly<Record<string, StateGraphNode>>;
  readonly edges: Iterable<readonly [start: string, end: string]>;
  readonly waitingEdges: Iterable<readonly [starts: readonly string[], end: string]>;
  readonly branches: Readonly<Record<string, Readonly<Record<string, Branch>>>>;
  readonly input: StateDefinition;
  readonly output: StateDefinition;
  readonly schemas: GraphSchemas;
}

/** A graph whose one key is the root channel has a bare value for a state, not a record. */
const readsOf = (keys: readonly string[]): string | readonly string[] =>
  keys.length === 1 && keys[0] === ROOT ? ROOT : keys;

/** The parts must be valid ({@link validateGraph}). Later changes to the builder do not reach the result. */
export function compileSpec(parts: GraphParts): GraphSpec {
  const stateKeys = Object.keys(parts.channels);
  const parse = updateParser(parts.schemas);
  const channels: Record<string, Channel> = { ...parts.channels, [START]: new EphemeralValue() };
  const triggers: Record<string, string[]> = {};
  const writers: Record<string, NodeWriter[]> = {
    [START]: [stateWriter(START, Object.keys(parts.input), parse), commandWriter(START)],
  };
  for (const [node, { defer }] of Object.entries(parts.nodes)) {
    const channel = branchTo(node);
    channels[channel] = defer ? new LastValueAfterFinish() : new EphemeralValue(false);
    triggers[node] = [channel];
    writers[node] = [stateWriter(node, stateKeys, parse), commandWriter(node)];
  }

  for (const [start, end] of parts.edges) {
    if (end !== END) writers[start]?.push(edgeWriter(end));
  }
  for (const [starts, end] of parts.waitingEdges) {
    const channel = barrierChannel(starts, end);
    const names = new Set(starts);
    channels[channel] = parts.nodes[end]?.defer
      ? new NamedBarrierValueAfterFinish(names)
      : new NamedBarrierValue(names);
    triggers[end]?.push(channel);
    for (const start of starts) writers[start]?.push(barrierWriter(channel, start));
  }
  for (const [source, byName] of Object.entries(parts.branches)) {
    for (const branch of Object.values(byName)) writers[source]?.push(branchWriter(source, branch, readsOf(stateKeys)));
  }

  const start = startNode(writers[START] ?? []);
  const nodes: Record<string, NodeSpec> = { [START]: start };
  for (const [name, node] of Object.entries(parts.nodes)) {
    const { runnable, input, metadata, ends, subgraphs, retryPolicy, cachePolicy, timeout } = node;
    nodes[name] = {
      name,
      triggers: triggers[name] ?? [],
      reads: readsOf(Object.keys(input)),
      bound: runnable,
      writers: writers[name] ?? [],
      retryPolicy,
      cachePolicy: cachePolicy || undefined,
      timeout,
      errorHandler: node.errorHandlerNode,
      isErrorHandler: node.isErrorHandler,
      metadata,
      ends,
      subgraphs: subgraphs ?? graphsIn(runnable),
    };
  }
  return {
    channels,
    nodes,
    inputChannel: START,
    parseInput: inputParser(parts.schemas),
    parseContext: contextParser(parts.schemas),
    outputChannels: readsOf(Object.keys(parts.output)),
    streamChannels: readsOf(stateKeys),
  };
}

/** A compiled graph itself, or the steps of a sequence that are graphs. */
export function graphsIn(runnable: Runnable): readonly unknown[] {
  const found: unknown[] = [];
  const search = (candidate: unknown): void => {
    const { lg_is_pregel: isGraph, steps } = candidate as { lg_is_pregel?: unknown; steps?: unknown };
    if (isGraph === true) found.push(candidate);
    else if (Array.isArray(steps)) steps.forEach(search);
  };
  search(runnable);
  return found;
}

/** Where a run's input goes on from; no node of the author's. */
export const startNode = (writers: NodeSpec['writers']): NodeSpec => ({
  name: START,
  triggers: [START],
  reads: START,
  writers,
  tags: [TAG_HIDDEN],
});
