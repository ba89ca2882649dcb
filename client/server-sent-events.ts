// Bytes to server-sent events. A half-received event is dropped with its connection; it comes again after the rejoin.
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { ConnectionError, SuperstepClientError } from './errors.js';

/** What arrived: a whole event, or a sign of life (a comment, or part of an event). */
export type Arrival = { readonly kind: 'event'; readonly message: EventSourceMessage } | { readonly kind: 'alive' };

/**
 * Everything that arrives until the body ends.
 * @param silenceMs how long nothing at all may arrive.
 * @throws ConnectionError when the connection breaks or goes silent.
 */
export async function* readServerSentEvents(
  body: ReadableStream<Uint8Array>,
  silenceMs: number,
): AsyncGenerator<Arrival, void> {
  const arrived: EventSourceMessage[] = [];
  const parser = createParser({ onEvent: (message) => arrived.push(message) });
  const decoder = new TextDecoder();
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await withinSilence(reader.read(), silenceMs);
      if (done) return;
      parser.feed(decoder.decode(value, { stream: true }));
      for (const message of arrived.splice(0)) yield { kind: 'event', message };
      yield { kind: 'alive' };
    }
  } finally {
    // Whoever stops reading closes the connection; an error of closing adds nothing.
    void reader.cancel().catch(() => undefined);
  }
}

/** @throws ConnectionError when the promise rejects, or does not settle in time; errors of this client as they are. */
export async function withinSilence<T>(pending: Promise<T>, silenceMs: number): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`nothing arrived for ${silenceMs} ms`)), silenceMs);
  });
  try {
    return await Promise.race([pending, silence]);
  } catch (cause) {
    if (cause instanceof SuperstepClientError) throw cause;
    throw new ConnectionError(`The connection broke: ${(cause as Error).message}.`, { delivered: 'unknown', cause });
  } finally {
    clearTimeout(timer);
  }
}
