// What a caller of a compiled graph gets of a run: its last values, or its chunks in the form asked for.
import type { RunnableConfig } from '@langchain/core/runnables';
import type { IterableReadableStream } from '@langchain/core/utils/stream';
import { INTERRUPT } from '../constants.js';
import { isInterrupted } from '../interrupt.js';
import type { StreamChunk, StreamMode } from '../stream-mode.js';
import { ambientConfig } from './ambient-config.js';
import type { CallOptions } from './call-options.js';
import { eventOfChunk, eventOfError } from './event-stream.js';
import type { GraphCall } from './invoke.js';
import { runStream } from './run-stream.js';
import { taskContextOf } from './task-context.js';

/** Runs the graph to its end, with chunks going to `emit`. */
export type Drive = (sink: Pick<GraphCall, 'streamModes' | 'outputKeys' | 'signal' | 'emit'>) => Promise<void>;

/**
 * With the signal that can stop the call: its own, the one bound to the graph, or that of the node it is called in. And
 * with its `timeout` as one, as LangChain takes it; nodes see it in their metadata as `timeoutMs`.
 */
export function stoppedBy<Options extends CallOptions>(given: Options, bound: RunnableConfig | undefined): Options {
  const ambient = ambientConfig();
  const signal = given.signal ?? bound?.signal ?? ambient?.signal;
  const { timeout, ...rest } = { ...given, signal };
  if (timeout === undefined) return { ...given, signal };
  if (timeout <= 0) throw new Error('Timeout must be a positive number');
  const limit = AbortSignal.timeout(timeout);
  return {
    ...rest,
    metadata: { timeoutMs: timeout, ...(rest.metadata ?? ambient?.metadata) },
    signal: rest.signal ? AbortSignal.any([rest.signal, limit]) : limit,
  } as unknown as Options;
}

/** @returns the last values, with all questions of the run; of another mode than `values` its chunks. */
export async function resultOf(
  drive: Drive,
  options: CallOptions,
  outputKeys: GraphCall['outputKeys'],
): Promise<unknown> {
  const { signal = new AbortController().signal } = options;
  const streamMode = options.streamMode ?? 'values';
  const streamModes = [streamMode].flat();
  if (streamMode === 'values') {
    const values = new LastValues();
    await drive({ streamModes, outputKeys, signal, emit: (chunk) => values.add(chunk) });
    return values.result;
  }
  const chunks: unknown[] = [];
  const emit = shaped(streamMode, options, (chunk) => chunks.push(chunk));
  await drive({ streamModes, outputKeys, signal, emit });
  return chunks;
}

class LastValues {
  private latest: unknown;
  private asked: unknown[] | undefined;

  add({ payload }: StreamChunk): void {
    if (isInterrupted(payload)) (this.asked ??= []).push(...payload[INTERRUPT]);
    else this.latest = payload;
  }

  get result(): unknown {
    if (this.asked === undefined) return this.latest;
    if (this.latest === null || this.latest === undefined) return { [INTERRUPT]: this.asked };
    return typeof this.latest === 'object' ? { ...this.latest, [INTERRUPT]: this.asked } : this.latest;
  }
}

/** @param ownMode of the graph, where the call names none. */
export function streamOf(drive: Drive, options: CallOptions, ownMode: StreamMode): IterableReadableStream<unknown> {
  // A graph called in a node is asked for its values, whatever else it is compiled to give.
  const nested = taskContextOf(options) !== undefined;
  const streamMode = options.streamMode ?? (nested ? 'values' : ownMode);
  const { outputKeys, subgraphs = false } = options;
  const streamModes = [streamMode].flat();
  // `streamEvents` calls `stream()` with the options it was given.
  if (options.encoding !== 'text/event-stream' || options.version !== undefined) {
    return runStream<unknown, unknown>(
      (push, signal) => drive({ streamModes, outputKeys, signal, emit: shaped(streamMode, options, push) }),
      { signal: options.signal, read: (chunk) => chunk },
    );
  }
  return runStream<StreamChunk | RunFailure, unknown>(
    (push, signal) =>
      drive({ streamModes, outputKeys, signal, emit: push }).catch((error: unknown) => push(new RunFailure(error))),
    {
      signal: options.signal,
      read: (chunk) => (chunk instanceof RunFailure ? eventOfError(chunk.error) : eventOfChunk(chunk, subgraphs)),
    },
  );
}

/** The last event of a run that failed. */
class RunFailure {
  constructor(readonly error: unknown) {}
}

/** `[namespace, mode, payload]`, without the parts that the options do not ask for. */
function shaped(
  streamMode: StreamMode | readonly StreamMode[],
  options: CallOptions,
  take: (chunk: unknown) => void,
): (chunk: StreamChunk) => void {
  const { subgraphs = false } = options;
  const several = typeof streamMode !== 'string';
  const shape = (ns: readonly string[], mode: StreamMode, payload: unknown): unknown =>
    several || subgraphs ? [...(subgraphs ? [ns] : []), ...(several ? [mode] : []), payload] : payload;
  const envelopes = wantsEnvelopes(options) && ![streamMode].flat().includes('checkpoints');
  return ({ ns, mode, payload, envelope }) => {
    if (envelopes && envelope) take(shape(ns, 'checkpoints', envelope));
    take(shape(ns, mode, payload));
  };
}

/** Event streams name the checkpoint before its values. */
const wantsEnvelopes = ({ version, subgraphs }: CallOptions): boolean =>
  version === 'v3' || (version !== undefined && subgraphs === true);
