// Runs, in the words of the LangGraph Platform.
import { followEvents, type FollowOptions, type StreamEvent, type StreamSource } from './event-stream.js';
import { finalValues } from './final-values.js';
import { HttpError } from './errors.js';
import { locateRun, runPath, runsPath, type RunLocation } from './run-location.js';
import { runBody, type RunRequest, type StreamMode } from './run-request.js';
import type { Transport } from './transport.js';
import type { Run, RunStatus } from './wire.js';

export interface RunStreamOptions extends FollowOptions {
  /** Told as soon as the service has accepted the run, before its first event. */
  readonly onRunCreated?: (run: RunLocation) => void;
}

export interface JoinStreamOptions extends FollowOptions {
  /** What follows this id; `-1` for everything. Absent: only what is new. */
  readonly lastEventId?: string;
  readonly streamMode?: StreamMode | readonly StreamMode[];
  /** Cancel the run when this reader goes. */
  readonly cancelOnDisconnect?: boolean;
}

export interface WaitOptions {
  readonly signal?: AbortSignal;
  /** Default true: a failed run rejects with RunFailedError. */
  readonly raiseError?: boolean;
  readonly onRunCreated?: (run: RunLocation) => void;
}

export class RunsClient {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Starts a run and returns at once. `threadId` null: a thread of its own. */
  create(threadId: string | null, assistantId: string, request: RunRequest = {}): Promise<Run> {
    return this.#transport.json('POST', runsPath(threadId), { json: runBody(assistantId, request) });
  }

  /** Starts a run and streams it to its end, over as many connections as it takes. Leaving the loop leaves the run going. */
  stream(
    threadId: string | null,
    assistantId: string,
    request: RunRequest = {},
    options: RunStreamOptions = {},
  ): AsyncGenerator<StreamEvent, void> {
    const transport = this.#transport;
    const json = runBody(assistantId, request);
    let run: RunLocation | undefined;
    const located = (): RunLocation => run as RunLocation;
    return followEvents(
      transport,
      {
        start: async (signal) => {
          const response = await transport.send('POST', `${runsPath(threadId)}/stream`, { json, signal });
          run = locateRun(response);
          options.onRunCreated?.(run);
          return response;
        },
        join: (lastEventId, signal) => this.#join(located(), { lastEventId, signal }),
        status: (signal) => this.#streamStatus(located(), signal),
        isLast,
      },
      options,
    );
  }

  /** Starts a run and waits for its final values. */
  wait(
    threadId: string | null,
    assistantId: string,
    request: RunRequest = {},
    options: WaitOptions = {},
  ): Promise<unknown> {
    const transport = this.#transport;
    const json = runBody(assistantId, request);
    let run: RunLocation | undefined;
    return finalValues(
      transport,
      {
        start: async (signal) => {
          const response = await transport.send('POST', `${runsPath(threadId)}/wait`, { json, signal });
          run = locateRun(response);
          options.onRunCreated?.(run);
          return response;
        },
        join: (signal) => transport.send('GET', `${runPath(run as RunLocation)}/join`, { signal }),
      },
      options,
    );
  }

  /** Waits for a run that exists. */
  join(threadId: string, runId: string, options: Omit<WaitOptions, 'onRunCreated'> = {}): Promise<unknown> {
    const path = `${runPath({ threadId, runId })}/join`;
    return finalValues(this.#transport, { join: (signal) => this.#transport.send('GET', path, { signal }) }, options);
  }

  /** Streams a run that exists. */
  joinStream(
    threadId: string | null,
    runId: string,
    options: JoinStreamOptions = {},
  ): AsyncGenerator<StreamEvent, void> {
    const run: RunLocation = { runId, ...(threadId !== null && { threadId }) };
    const source: StreamSource = {
      join: (lastEventId, signal) =>
        this.#join(run, {
          lastEventId,
          signal,
          streamMode: options.streamMode,
          cancelOnDisconnect: options.cancelOnDisconnect,
        }),
      status: (signal) => this.#streamStatus(run, signal),
      isLast,
      ...(options.lastEventId !== undefined && { after: options.lastEventId }),
    };
    return followEvents(this.#transport, source, options);
  }

  /**
   * Answers what a run waits for; the same run goes on. Any JSON but null, or a record of answers by interrupt id.
   * @throws HttpError 409 when it does not wait, or another answer was first.
   */
  async resume(threadId: string, runId: string, resume: unknown): Promise<void> {
    await this.#transport.json('POST', `${runPath({ threadId, runId })}/resume`, { json: { resume } });
  }

  /** `interrupt` keeps the completed supersteps, `rollback` deletes the run. With `wait`, returns once it has stopped. */
  async cancel(
    threadId: string,
    runId: string,
    options: { readonly wait?: boolean; readonly action?: 'interrupt' | 'rollback' } = {},
  ): Promise<void> {
    const query = { wait: options.wait ? '1' : '0', action: options.action ?? 'interrupt' };
    await this.#transport.request('POST', `${runPath({ threadId, runId })}/cancel`, { query });
  }

  /** @throws HttpError 404 */
  get(threadId: string, runId: string): Promise<Run> {
    return this.#transport.json('GET', runPath({ threadId, runId }));
  }

  /** Newest first. */
  list(
    threadId: string,
    options: { readonly limit?: number; readonly offset?: number; readonly status?: RunStatus } = {},
  ): Promise<readonly Run[]> {
    return this.#transport.json('GET', runsPath(threadId), { query: { ...options } });
  }

  #join(
    run: RunLocation,
    options: Pick<JoinStreamOptions, 'streamMode' | 'cancelOnDisconnect'> & {
      lastEventId?: string;
      signal: AbortSignal;
    },
  ): Promise<Response> {
    return this.#transport.send('GET', `${runPath(run)}/stream`, {
      query: {
        stream_mode: options.streamMode,
        cancel_on_disconnect: options.cancelOnDisconnect ? '1' : undefined,
      },
      headers: { ...(options.lastEventId !== undefined && { 'last-event-id': options.lastEventId }) },
      signal: options.signal,
    });
  }

  async #streamStatus(run: RunLocation, signal: AbortSignal | undefined): Promise<'going' | 'over' | 'gone'> {
    try {
      const response = await this.#transport.send('GET', runPath(run), { ...(signal && { signal }) });
      const { status } = (await response.json()) as Run;
      return status === 'pending' || status === 'running' ? 'going' : 'over';
    } catch (error) {
      // Rolled back, or a run without a thread that is not kept: its stream had an end.
      if (error instanceof HttpError && error.status === 404) return 'gone';
      throw error;
    }
  }
}

const isLast = ({ event }: StreamEvent): boolean => event === 'error';
