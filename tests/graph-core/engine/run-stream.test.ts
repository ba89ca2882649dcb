import { expect, test } from '@jest/globals';
import { runStream } from '../../../graph-core/engine/run-stream.js';

/** Chunks are the items themselves. */
const asIs = (signal?: AbortSignal) => ({ signal, read: (item: number) => item });

async function collect<Chunk>(stream: AsyncIterable<Chunk>): Promise<readonly Chunk[]> {
  const chunks: Chunk[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return chunks;
}

test('gives the chunks in order and ends with the run', async () => {
  const stream = runStream(async (push: (item: number) => void) => {
    push(1);
    await Promise.resolve();
    push(2);
  }, asIs());
  expect(await collect(stream)).toEqual([1, 2]);
});

test('gives every chunk that came before an error, then the error', async () => {
  const seen: number[] = [];
  const stream = runStream(async (push: (item: number) => void) => {
    [1, 2, 3].forEach(push);
    throw new Error('broken');
  }, asIs());
  await expect(
    (async () => {
      for await (const chunk of stream) seen.push(chunk);
    })(),
  ).rejects.toThrow('broken');
  expect(seen).toEqual([1, 2, 3]);
});

/** A run that lasts until it is aborted. */
const untilAborted = (started: (signal: AbortSignal) => void) =>
  runStream(async (push: (item: number) => void, signal: AbortSignal) => {
    started(signal);
    push(1);
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    push(2);
  }, asIs());

test('leaving its loop aborts the run', async () => {
  let signal: AbortSignal | undefined;
  for await (const chunk of untilAborted((given) => (signal = given))) {
    expect(chunk).toBe(1);
    break;
  }
  expect(signal?.aborted).toBe(true);
});

test('cancelling it aborts the run, also while it is being read', async () => {
  let signal: AbortSignal | undefined;
  const stream = untilAborted((given) => (signal = given));
  const reading = collect(stream);
  await stream.cancel();
  await reading.catch(() => undefined);
  expect(signal?.aborted).toBe(true);
});

test('a signal from outside reaches the run', async () => {
  const abort = new AbortController();
  const stream = runStream(
    async (_push, signal) =>
      new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error))),
    asIs(abort.signal),
  );
  const reading = collect(stream);
  abort.abort(new Error('from outside'));
  await expect(reading).rejects.toThrow('from outside');
});
