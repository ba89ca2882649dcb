// A local service that speaks just enough of the protocol to be cut anywhere: runs are lists of frames, written at once,
// and a script says what becomes of each connection.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ServedRun {
  readonly threadId: string;
  readonly runId: string;
  /** Data of the events; the ids are their positions. */
  readonly events: readonly { readonly event: string; readonly data: unknown }[];
}

/** What the service does to one streaming connection. */
type Fate =
  /** All frames from the cursor on, then a clean end. */
  | { readonly kind: 'whole' }
  /** So many bytes of them, then the socket is destroyed. */
  | { readonly kind: 'cut'; readonly afterBytes: number }
  /** So many bytes of them, then a clean end while the run goes on: a service that is stopped. */
  | { readonly kind: 'drain'; readonly afterBytes: number }
  /** So many bytes of them, then silence on an open socket. */
  | { readonly kind: 'freeze'; readonly afterBytes: number }
  | {
      readonly kind: 'refuse';
      readonly status: number;
      readonly body: string;
      readonly headers?: Record<string, string>;
    };

interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly lastEventId?: string;
  readonly body: string;
  readonly headers: IncomingMessage['headers'];
}

export interface StreamServer {
  readonly url: string;
  readonly requests: SeenRequest[];
  /** Fates of the coming connections, in order; `whole` when they are used up. */
  fates: Fate[];
  /** Statuses that the run answers with, in order; `success` when they are used up. */
  statuses: string[];
  /** Answers to anything but streams of the run, by `METHOD path`. */
  readonly answers: Map<string, (response: ServerResponse) => void>;
  close(): Promise<void>;
}

export const frame = (event: string, data: unknown, id: number): string =>
  `event: ${event}\ndata: ${JSON.stringify(data)}\nid: ${id}\n\n`;

export async function serveStream(run: ServedRun): Promise<StreamServer> {
  const runPath = `/threads/${run.threadId}/runs/${run.runId}`;
  const state: Omit<StreamServer, 'url' | 'close'> = { requests: [], fates: [], statuses: [], answers: new Map() };

  const stream = (request: SeenRequest, response: ServerResponse): void => {
    const fate = state.fates.shift() ?? { kind: 'whole' };
    if (fate.kind === 'refuse') {
      response.writeHead(fate.status, fate.headers).end(fate.body);
      return;
    }
    const after = Number(request.lastEventId ?? -1);
    const text = run.events.map(({ event, data }, id) => (id > after ? frame(event, data, id) : '')).join('');
    response.writeHead(200, { 'content-type': 'text/event-stream', 'content-location': runPath });
    const bytes = Buffer.from(text);
    if (fate.kind === 'whole') {
      response.end(bytes);
      return;
    }
    const part = bytes.subarray(0, fate.afterBytes);
    if (fate.kind === 'drain') response.end(part);
    else {
      response.flushHeaders();
      response.write(part, () => {
        // Destroyed once the bytes are in the kernel's hands, so that the reader gets exactly these.
        if (fate.kind === 'cut') response.socket?.end(() => response.socket?.destroy());
      });
    }
  };

  const answer = (request: SeenRequest, response: ServerResponse): void => {
    const special = state.answers.get(`${request.method} ${request.path.split('?')[0]}`);
    if (special) return special(response);
    if (request.path.split('?')[0]?.endsWith('/stream')) return stream(request, response);
    if (request.method === 'GET' && request.path === runPath) {
      const status = state.statuses.shift() ?? 'success';
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ run_id: run.runId, thread_id: run.threadId, status }));
      return;
    }
    response.writeHead(404).end('404 Not Found');
  };

  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const id = request.headers['last-event-id'];
      const seen: SeenRequest = {
        method: request.method ?? '',
        path: request.url ?? '',
        ...(typeof id === 'string' && { lastEventId: id }),
        body: Buffer.concat(chunks).toString(),
        headers: request.headers,
      };
      state.requests.push(seen);
      answer(seen, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return Object.assign(state, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close });
}

export async function collect<T>(source: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of source) items.push(item);
  return items;
}
