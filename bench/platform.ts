// The few Platform calls that the bench makes, on our server and on the reference server alike.
import { createParser, type EventSourceMessage } from 'eventsource-parser';

export interface StreamedEvent extends EventSourceMessage {
  /** Wall clock at which it was parsed; milliseconds. */
  readonly seenAt: number;
}

export class Platform {
  constructor(readonly url: string) {}

  async json<Answer>(method: string, path: string, body?: unknown): Promise<Answer> {
    const response = await fetch(this.url + path, {
      method,
      ...(body !== undefined && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return (text.trim() === '' ? undefined : JSON.parse(text)) as Answer;
  }

  async createThread(): Promise<string> {
    const { thread_id } = await this.json<{ thread_id: string }>('POST', '/threads', {});
    return thread_id;
  }

  wait(threadId: string, graph: string, input: unknown): Promise<unknown> {
    return this.json('POST', `/threads/${threadId}/runs/wait`, { assistant_id: graph, input });
  }

  async createRun(threadId: string, graph: string, input: unknown, more: object = {}): Promise<string> {
    const body = { assistant_id: graph, input, ...more };
    return (await this.json<{ run_id: string }>('POST', `/threads/${threadId}/runs`, body)).run_id;
  }

  /** Reads an event stream until it ends, or until `enough` says so. */
  async stream(
    method: 'GET' | 'POST',
    path: string,
    {
      body,
      lastEventId,
      enough = () => false,
    }: {
      readonly body?: unknown;
      readonly lastEventId?: string;
      readonly enough?: (event: StreamedEvent) => boolean;
    },
  ): Promise<StreamedEvent[]> {
    const leave = new AbortController();
    const response = await fetch(this.url + path, {
      method,
      signal: leave.signal,
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (!response.ok || response.body === null) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    const events: StreamedEvent[] = [];
    let done = false;
    const parser = createParser({
      onEvent: (message) => {
        const event = { ...message, seenAt: performance.timeOrigin + performance.now() };
        if (done) return;
        events.push(event);
        done = enough(event);
      },
    });
    const decoder = new TextDecoder();
    for await (const bytes of response.body) {
      parser.feed(decoder.decode(bytes as Uint8Array, { stream: true }));
      if (done) break;
    }
    leave.abort();
    return events;
  }
}
