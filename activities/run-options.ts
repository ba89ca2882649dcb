// What the engine is given for a run: its input and options, from the run's row.
import {
  callConfig,
  Command,
  reviveCommand,
  type CompiledGraph,
  type RunInput,
  type RunOptions,
} from '../graph-core/index.js';
import type { Json, Run } from '../storage/records.js';
import { engineModes } from './chunk-drafts.js';
import { runMetadata } from './run-saver.js';

/** @param from `checkpoint`: the run's first superstep, which may start from an earlier checkpoint. */
export function runOptions(run: Run, from: 'checkpoint' | 'latest'): RunOptions {
  const { kwargs } = run;
  const { recursion_limit, max_concurrency, configurable, tags, metadata, run_name } = kwargs.config;
  const { checkpoint_id, checkpoint_map } = (from === 'checkpoint' ? kwargs.checkpoint : undefined) ?? {};
  return {
    config: {
      ...(typeof run_name === 'string' && { runName: run_name }),
      ...(tags && { tags: [...tags] }),
      ...(recursion_limit !== undefined && { recursionLimit: recursion_limit }),
      ...(typeof max_concurrency === 'number' && { maxConcurrency: max_concurrency }),
      ...(kwargs.context !== undefined && { context: kwargs.context }),
      metadata: { ...(metadata as Record<string, unknown> | undefined), ...runMetadata(run) },
      configurable: {
        ...configurable,
        run_id: run.runId,
        thread_id: run.threadId,
        graph_id: run.graphId,
        assistant_id: run.assistantId,
        ...(checkpoint_id && { checkpoint_id }),
        ...(checkpoint_map && { checkpoint_map }),
      },
    },
    streamModes: engineModes(kwargs),
    streamSubgraphs: kwargs.stream_subgraphs,
    ...(kwargs.interrupt_before && { interruptBefore: kwargs.interrupt_before }),
    ...(kwargs.interrupt_after && { interruptAfter: kwargs.interrupt_after }),
    // Checkpoints of nested graphs are saved before their node goes on: a crash must not find them missing.
    durability: 'sync',
  };
}

/** The config bound to the graph (`withConfig`) below the run's own, and above both that it is the root. */
export function boundTo(graph: CompiledGraph, options: RunOptions): RunOptions {
  const config = callConfig(graph.config, options.config);
  return { ...options, config: { ...config, configurable: { ...config.configurable, checkpoint_ns: '' } } };
}

export function runInput({ kwargs: { command, input } }: Run): RunInput {
  if (command && [command.resume, command.update, command.goto].some((part) => part !== undefined && part !== null)) {
    return { kind: 'command', command: commandOf(command) };
  }
  return input === undefined || input === null ? { kind: 'nothing' } : { kind: 'input', value: input };
}

/** At a breakpoint there is nothing to answer: the run just goes on. */
export const answerInput = (answer: Json, asked: number): RunInput =>
  asked === 0 ? { kind: 'nothing' } : { kind: 'command', command: new Command({ resume: answer }) };

/** `{node, input}` of the wire is a Send. */
function commandOf({ resume, update, goto }: NonNullable<Run['kwargs']['command']>): Command {
  const targets = goto === undefined || goto === null ? [] : [goto].flat();
  const sends = targets.map((target) =>
    isNodeInput(target) ? reviveCommand({ node: target.node, args: target.input }) : target,
  );
  return new Command({
    ...(resume !== undefined && resume !== null && { resume }),
    ...(update !== undefined && update !== null && { update }),
    goto: sends as string[],
  });
}

const isNodeInput = (target: unknown): target is { readonly node: string; readonly input: unknown } =>
  typeof target === 'object' && target !== null && 'node' in target;
