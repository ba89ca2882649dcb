// Runs as processes to watch: the monitoring API, whose events tell of nodes and pauses rather than of content.
import { followEvents, type FollowOptions, type StreamEvent } from './event-stream.js';
import { FROM_THE_BEGINNING } from './event-cursor.js';
import { HttpError } from './errors.js';
import type { ProcessEvent, ProcessSnapshot, ProcessStatus } from './process-records.js';
import { runBody, type RunRequest } from './run-request.js';
import type { Transport } from './transport.js';

export interface ProcessEventsOptions extends FollowOptions {
  /** Only what follows this event id; `<run>:<seq>`, with the `last_seq` of a snapshot. Default: everything. */
  readonly lastEventId?: string;
}

const OVER: readonly ProcessStatus[] = ['success', 'error', 'timeout', 'interrupted'];
const LAST: readonly string[] = ['run.completed', 'run.failed', 'run.cancelled'];

export class ProcessesClient {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Starts a run, on a new thread unless one is named. The thread is kept. */
  start(assistantId: string, request: RunRequest & { readonly threadId?: string } = {}): Promise<ProcessSnapshot> {
    const { threadId, ...rest } = request;
    return this.#transport.json('POST', '/api/runs', { json: { ...runBody(assistantId, rest), thread_id: threadId } });
  }

  /** @throws HttpError 404 */
  get(runId: string, options: { readonly signal?: AbortSignal } = {}): Promise<ProcessSnapshot> {
    return this.#transport.json('GET', processPath(runId), options);
  }

  /** Events until the run is over, through its pauses, over as many connections as it takes. Heartbeats are left out. */
  async *events(runId: string, options: ProcessEventsOptions = {}): AsyncGenerator<ProcessEvent, void> {
    const path = processPath(runId);
    const events = followEvents(
      this.#transport,
      {
        join: (lastEventId, signal) =>
          this.#transport.send('GET', `${path}/events`, {
            headers: { ...(lastEventId !== undefined && { 'last-event-id': lastEventId }) },
            signal,
          }),
        status: (signal) => this.#streamStatus(path, signal),
        isLast: ({ data }) => LAST.includes((data as ProcessEvent).type),
        isHeartbeat,
        after: options.lastEventId ?? FROM_THE_BEGINNING,
      },
      options,
    );
    for await (const { data } of events) yield data as ProcessEvent;
  }

  /** @throws HttpError 409 when the run does not wait, or another answer was first. */
  async resume(runId: string, resume: unknown): Promise<void> {
    await this.#transport.json('POST', `${processPath(runId)}/resume`, { json: { resume } });
  }

  async cancel(runId: string, options: { readonly action?: 'interrupt' | 'rollback' } = {}): Promise<void> {
    await this.#transport.json('POST', `${processPath(runId)}/cancel`, { json: options });
  }

  async #streamStatus(path: string, signal: AbortSignal | undefined): Promise<'going' | 'over' | 'gone'> {
    try {
      const response = await this.#transport.send('GET', path, { ...(signal && { signal }) });
      return OVER.includes(((await response.json()) as ProcessSnapshot).status) ? 'over' : 'going';
    } catch (error) {
      if (error instanceof HttpError && error.status === 404) return 'gone';
      throw error;
    }
  }
}

const isHeartbeat = ({ event, data }: StreamEvent): boolean =>
  event === 'heartbeat' || (data as Partial<ProcessEvent>).type === 'heartbeat';

const processPath = (runId: string): string => `/api/runs/${encodeURIComponent(runId)}`;
