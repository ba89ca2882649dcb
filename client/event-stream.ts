// A stream of a run that outlives its connections.
//   E1. An event is yielded once, whatever is sent again: ids only grow.
//   E2. Nothing is left out: after every loss the stream is joined again from the last id seen.
//   E3. The end is the run's, not the connection's. A service that is stopped ends its streams like finished ones, so
//       after an end that no event announced the run's status is asked; and once it is over, the stream is joined one
//       last time, because events may have been written between that end and the answer.
import { Backoff, sleep } from './backoff.js';
import { ConnectionError, isTransient, ProtocolError, StreamLostError } from './errors.js';
import { EventCursor, FROM_THE_BEGINNING } from './event-cursor.js';
import { readServerSentEvents, withinSilence } from './server-sent-events.js';
import { parseJson, retryAfterOf, type Transport } from './transport.js';

export interface StreamEvent {
  /** Place in the stream; what to join from. Absent on streams that cannot be joined again. */
  readonly id?: string;
  readonly event: string;
  readonly data: unknown;
}

export interface Reconnecting {
  /** 1 for the first attempt since something last arrived. */
  readonly attempt: number;
  readonly delayMs: number;
  /** Why; absent where the service ended the stream of a run that goes on. */
  readonly cause?: Error;
  readonly lastEventId?: string;
}

export interface FollowOptions {
  readonly signal?: AbortSignal;
  /** Told before each attempt to reconnect. */
  readonly onReconnect?: (reconnecting: Reconnecting) => void;
}

/** What is particular about one kind of stream. */
export interface StreamSource {
  /** Starts what is streamed, and streams it. Sent once. Absent where the stream is joined from the first. */
  readonly start?: (signal: AbortSignal) => Promise<Response>;
  /** Streams what follows the id; without one, what is new. */
  join(lastEventId: string | undefined, signal: AbortSignal): Promise<Response>;
  /** Asked after an end that no event announced. `gone`: there is nothing left to join. */
  status(signal: AbortSignal | undefined): Promise<'going' | 'over' | 'gone'>;
  /** Nothing follows this event. */
  isLast(event: StreamEvent): boolean;
  /** Shows only that the connection lives. */
  isHeartbeat?(event: StreamEvent): boolean;
  /** The id that the first connection joins after. */
  readonly after?: string;
}

type Ending =
  { readonly kind: 'last-event' } | { readonly kind: 'closed' } | { readonly kind: 'lost'; readonly cause: Error };

/** The events of a source until its end. */
export async function* followEvents(
  transport: Transport,
  source: StreamSource,
  options: FollowOptions = {},
): AsyncGenerator<StreamEvent, void> {
  const follower = new Follower(transport, source, options);
  for (;;) {
    const ending = await settleEnding(follower, yield* follower.connection());
    if (ending.kind === 'last-event') return;
    if (ending.kind === 'lost') await follower.pause(ending.cause);
    else if (follower.joinsOnceMore) continue;
    else await follower.pause(undefined);
  }
}

/** Turns an end of a connection into what it means for the stream. */
async function settleEnding(follower: Follower, ending: Ending): Promise<Ending> {
  if (ending.kind !== 'closed') return ending;
  try {
    return (await follower.isComplete()) ? { kind: 'last-event' } : ending;
  } catch (cause) {
    if (!isTransient(cause)) throw cause;
    return { kind: 'lost', cause: cause as Error };
  }
}

class Follower {
  readonly #transport: Transport;
  readonly #source: StreamSource;
  readonly #options: FollowOptions;
  readonly #cursor: EventCursor;
  readonly #backoff: Backoff;
  #opened = false;
  #yieldedWithoutId = false;
  /** The run was over before the present connection was opened: what it holds is everything. */
  #over = false;

  constructor(transport: Transport, source: StreamSource, options: FollowOptions) {
    this.#transport = transport;
    this.#source = source;
    this.#options = options;
    this.#cursor = new EventCursor(source.after);
    this.#backoff = new Backoff(transport.reconnect);
  }

  get joinsOnceMore(): boolean {
    return this.#over;
  }

  /** Whether all events have been received, asked after a connection was closed in good order. */
  async isComplete(): Promise<boolean> {
    if (this.#over) return true;
    const status = await this.#source.status(this.#options.signal);
    this.#over = status === 'over';
    // Without ids it cannot be joined again without repeating; its end then has to be believed.
    return status === 'gone' || (this.#over && this.#yieldedWithoutId);
  }

  /** Yields what one connection brings. */
  async *connection(): AsyncGenerator<StreamEvent, Ending> {
    const connection = new AbortController();
    const abort = (): void => connection.abort(this.#options.signal?.reason);
    this.#options.signal?.throwIfAborted();
    this.#options.signal?.addEventListener('abort', abort, { once: true });
    try {
      const response = await withinSilence(this.#open(connection.signal), this.#transport.silenceMs);
      return yield* this.#read(response);
    } catch (error) {
      this.#options.signal?.throwIfAborted();
      if (!this.#mayTryAgain(error)) throw error;
      return { kind: 'lost', cause: error as Error };
    } finally {
      this.#options.signal?.removeEventListener('abort', abort);
      connection.abort();
    }
  }

  async pause(cause: Error | undefined): Promise<void> {
    const lastEventId = this.#cursor.last;
    const lost = { ...(lastEventId !== undefined && { lastEventId }), ...(cause && { cause }) };
    if (this.#yieldedWithoutId) {
      throw new StreamLostError('The stream broke, and its events have no ids to take it up from.', lost);
    }
    const delayMs = this.#backoff.next(retryAfterOf(cause));
    if (delayMs === undefined) {
      const reason = cause ? `: ${cause.message}` : '.';
      throw new StreamLostError(
        `The stream was not taken up again in ${this.#backoff.failures} attempts${reason}`,
        lost,
      );
    }
    this.#options.onReconnect?.({ attempt: this.#backoff.failures, delayMs, ...lost });
    await sleep(delayMs, this.#options.signal);
  }

  /** A start is repeated only where the request never left: two would be two runs. */
  #mayTryAgain(error: unknown): boolean {
    if (!this.#opened && this.#source.start) return error instanceof ConnectionError && error.delivered === 'never';
    return isTransient(error);
  }

  async #open(signal: AbortSignal): Promise<Response> {
    const { start } = this.#source;
    const response = await (start && !this.#opened
      ? start(signal)
      : this.#source.join(this.#cursor.last ?? (start && FROM_THE_BEGINNING), signal));
    this.#opened = true;
    const type = response.headers.get('content-type') ?? '';
    if (!type.includes('text/event-stream')) {
      throw new ProtocolError(`Expected an event stream from ${response.url}, got "${type}".`);
    }
    return response;
  }

  async *#read(response: Response): AsyncGenerator<StreamEvent, Ending> {
    if (response.body === null) return { kind: 'closed' };
    for await (const arrival of readServerSentEvents(response.body, this.#transport.silenceMs)) {
      this.#backoff.reset();
      if (arrival.kind === 'alive') continue;
      const { id, event = 'message', data } = arrival.message;
      if (data === '') continue;
      const received = { ...(id !== undefined && { id }), event, data: parseJson(data, `event "${event}"`) };
      if (this.#source.isHeartbeat?.(received)) continue;
      if (!this.#cursor.advance(id)) continue;
      if (id === undefined && event !== 'metadata') this.#yieldedWithoutId = true;
      yield received;
      if (this.#source.isLast(received)) return { kind: 'last-event' };
    }
    return { kind: 'closed' };
  }
}
