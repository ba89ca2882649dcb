// Runs one program through LangGraph and through graph-core and compares everything it recorded.
import { expect, test } from '@jest/globals';
import { ours, reference, type Library } from './library.js';
import { normalize } from './normalize.js';
import { isFailedStream, Trace } from './trace.js';

export { collect, saver, thread, Trace, type Graph } from './trace.js';

/** Must not depend on time, and must take everything of the library from `lg`. */
export type Body = (lg: Library, trace: Trace) => void | Promise<void>;

export function program(name: string, body: Body): void {
  test(name, () => compare(body));
}

export async function compare(body: Body): Promise<void> {
  const run = async (library: Library): Promise<unknown[]> => {
    const trace = new Trace();
    await body(library, trace);
    return trace.entries;
  };
  const expected = await run(reference);
  expectAlike(await run(ours), expected);
}

/** Of two traces, each as it was recorded, or as it is left once it has been JSON. */
export function expectAlike(received: readonly unknown[], expected: readonly unknown[]): void {
  const cut = received.map((entry, index) => sameLength(entry, expected[index]));
  expect(normalize(cut)).toEqual(normalize(expected));
}

/** LangGraph's stream drops what is unread when it fails; ours delivers it. What both delivered must agree. */
function sameLength(received: unknown, expected: unknown): unknown {
  if (!isFailedStream(received) || !isFailedStream(expected)) return received;
  return { ...received, chunks: received.chunks.slice(0, expected.chunks.length) };
}
