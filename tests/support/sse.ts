// A plain reader of event streams, as an HTTP client sees them: no reconnecting, nothing dropped.
import { createParser, type EventSourceMessage } from 'eventsource-parser';

export interface SseEvent {
  readonly id: string | undefined;
  readonly event: string;
  readonly data: unknown;
}

export interface SseOptions {
  readonly method?: 'GET' | 'POST';
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly lastEventId?: string | number;
  /** Cuts the connection after the event for which this is true. */
  readonly until?: (event: SseEvent, count: number) => boolean;
}

/** All events until the server closes the stream, or `until` cuts it. @throws for a status other than 200. */
export async function readSse(url: string, options: SseOptions = {}): Promise<SseEvent[]> {
  const { events } = await openSse(url, options);
  return events;
}

export async function openSse(
  url: string,
  { method, body, headers, lastEventId, until = () => false }: SseOptions = {},
): Promise<{ events: SseEvent[]; headers: Headers; comments: number }> {
  const cut = new AbortController();
  const response = await fetch(url, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    signal: cut.signal,
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(lastEventId !== undefined && { 'last-event-id': String(lastEventId) }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (response.status !== 200 || response.body === null) {
    throw new Error(`${method ?? ''} ${url}: ${response.status} ${await response.text()}`);
  }
  const events: SseEvent[] = [];
  let comments = 0;
  let done = false;
  const parser = createParser({
    onEvent: ({ id, event, data }: EventSourceMessage) => {
      if (done) return;
      const message = { id, event: event ?? 'message', data: JSON.parse(data) as unknown };
      events.push(message);
      done = until(message, events.length);
    },
    onComment: () => {
      comments += 1;
    },
  });
  const decoder = new TextDecoder();
  try {
    for await (const bytes of response.body) {
      parser.feed(decoder.decode(bytes as Uint8Array, { stream: true }));
      if (done) break;
    }
  } finally {
    cut.abort();
  }
  return { events, headers: response.headers, comments };
}
