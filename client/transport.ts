// One request, one answer. Knows the service's address and key; nothing of runs or streams.
import { Backoff, DEFAULT_RECONNECT, sleep, type ReconnectPolicy } from './backoff.js';
import { ConnectionError, HttpError, isTransient, ProtocolError } from './errors.js';

export interface ClientOptions {
  /** Address of the service, a path prefix included. Default: `http://127.0.0.1:2024`. */
  readonly apiUrl?: string;
  /** Sent as `x-api-key`. */
  readonly apiKey?: string;
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Default: the global one. */
  readonly fetch?: typeof fetch;
  /** How lost connections are taken up again. */
  readonly reconnect?: Partial<ReconnectPolicy>;
  /**
   * A connection on which nothing arrived for so long is taken for dead; three times the pause between the service's
   * heartbeats. Milliseconds, default 45,000.
   */
  readonly silenceMs?: number;
}

export interface RequestOptions {
  readonly query?: Readonly<Record<string, QueryValue>>;
  readonly json?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}
type QueryValue = string | number | boolean | readonly string[] | undefined;

export const DEFAULT_API_URL = 'http://127.0.0.1:2024';
const DEFAULT_SILENCE_MS = 45_000;

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

export class Transport {
  readonly reconnect: ReconnectPolicy;
  readonly silenceMs: number;
  readonly #apiUrl: string;
  readonly #headers: Record<string, string>;
  readonly #fetch: typeof fetch;

  constructor(options: ClientOptions = {}) {
    this.#apiUrl = (options.apiUrl ?? DEFAULT_API_URL).replace(/\/+$/, '');
    this.#headers = { ...options.headers, ...(options.apiKey !== undefined && { 'x-api-key': options.apiKey }) };
    this.#fetch = options.fetch ?? ((input, init) => fetch(input, init));
    this.reconnect = { ...DEFAULT_RECONNECT, ...options.reconnect };
    this.silenceMs = options.silenceMs ?? DEFAULT_SILENCE_MS;
  }

  /**
   * One attempt.
   * @throws HttpError for any status of 400 and above; ConnectionError where there was no answer.
   */
  async send(method: Method, path: string, options: RequestOptions = {}): Promise<Response> {
    const url = this.#url(path, options.query);
    const init: RequestInit = {
      method,
      headers: {
        ...this.#headers,
        ...(options.json !== undefined && { 'content-type': 'application/json' }),
        ...options.headers,
      },
      ...(options.json !== undefined && { body: JSON.stringify(options.json) }),
      ...(options.signal && { signal: options.signal }),
    };
    const response = await this.#fetch(url, init).catch((cause: unknown) => {
      options.signal?.throwIfAborted();
      throw new ConnectionError(`${method} ${url}: no answer (${rootCause(cause)}).`, {
        delivered: neverLeft(cause) ? 'never' : 'unknown',
        cause,
      });
    });
    if (response.status >= 400) throw await httpError(method, url, response);
    return response;
  }

  /** As {@link send}, repeated while that can do no harm: reads always, others where the request never left. */
  async request(method: Method, path: string, options: RequestOptions = {}): Promise<Response> {
    const backoff = new Backoff(this.reconnect);
    for (;;) {
      try {
        return await this.send(method, path, options);
      } catch (error) {
        const again = method === 'GET' ? isTransient(error) : isUndelivered(error);
        const delayMs = again ? backoff.next(retryAfterOf(error)) : undefined;
        if (delayMs === undefined) throw error;
        await sleep(delayMs, options.signal);
      }
    }
  }

  /** The answer's JSON; undefined for an answer without a body. */
  async json<T>(method: Method, path: string, options: RequestOptions = {}): Promise<T> {
    const response = await this.request(method, path, options);
    const text = await response.text();
    if (text.trim() === '') return undefined as T;
    return parseJson(text, `${method} ${path}`) as T;
  }

  #url(path: string, query: RequestOptions['query'] = {}): string {
    const url = new URL(this.#apiUrl + path);
    for (const [name, value] of Object.entries(query)) {
      if (value === undefined) continue;
      for (const item of Array.isArray(value) ? (value as string[]) : [String(value)])
        url.searchParams.append(name, item);
    }
    return url.href;
  }
}

export const retryAfterOf = (error: unknown): number => (error instanceof HttpError ? (error.retryAfterMs ?? 0) : 0);

/** @throws ProtocolError that says where the text came from. */
export function parseJson(text: string, from: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ProtocolError(`${from}: the answer is no JSON: ${text.slice(0, 120)}`);
  }
}

async function httpError(method: Method, url: string, response: Response): Promise<HttpError> {
  const text = await response.text().catch(() => '');
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  return new HttpError({
    status: response.status,
    body: jsonOrText(text),
    method,
    url,
    ...(Number.isFinite(seconds) && { retryAfterMs: seconds * 1_000 }),
  });
}

function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const isUndelivered = (error: unknown): boolean => error instanceof ConnectionError && error.delivered === 'never';

/** Node tells why a connection failed; browsers do not, and there nothing is sent twice. */
const NEVER_CONNECTED = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'UND_ERR_CONNECT_TIMEOUT']);

function neverLeft(error: unknown): boolean {
  return causes(error).some((cause) => NEVER_CONNECTED.has(String((cause as { code?: unknown }).code)));
}

function rootCause(error: unknown): string {
  const messages = causes(error).map((cause) => (cause as { code?: string }).code ?? (cause as Error).message);
  return messages.findLast(Boolean) ?? 'unknown cause';
}

/** An error and what it was caused by; fetch wraps the socket's error, and that may be an aggregate of one per address. */
function causes(error: unknown): readonly object[] {
  if (typeof error !== 'object' || error === null) return [];
  const { cause, errors } = error as { cause?: unknown; errors?: readonly unknown[] };
  return [error, ...causes(cause), ...(errors ?? []).flatMap(causes)];
}
