// Waiting for a run's result over one long request, and over the next when that one breaks.
import { Backoff, sleep } from './backoff.js';
import { ConnectionError, isTransient, RunFailedError } from './errors.js';
import { withinSilence } from './server-sent-events.js';
import { parseJson, retryAfterOf, type Transport } from './transport.js';

export interface ResultSource {
  /** Starts the run. Sent once. Absent where a run is waited for that exists. */
  readonly start?: (signal: AbortSignal) => Promise<Response>;
  join(signal: AbortSignal): Promise<Response>;
}

/**
 * The run's final values; of a run that stopped for a person, with `__interrupt__`.
 * @throws RunFailedError unless `raiseError` is false, which gives `{__error__: {error, message}}`.
 */
export async function finalValues(
  transport: Transport,
  source: ResultSource,
  options: { readonly signal?: AbortSignal; readonly raiseError?: boolean },
): Promise<unknown> {
  const backoff = new Backoff(transport.reconnect);
  let started = source.start === undefined;
  for (;;) {
    try {
      const text = await oneRequest(transport, options.signal, async (signal) => {
        const response = await (source.start && !started ? source.start(signal) : source.join(signal));
        started = true;
        return response;
      });
      // Nothing but keep-alive newlines: the service was stopped while the run went on.
      if (text.trim() !== '') return checked(parseJson(text, 'wait'), options.raiseError ?? true);
      if ((await pause(backoff, 0, options.signal)) === 'give-up')
        throw new ConnectionError('No result came.', { delivered: 'unknown' });
    } catch (error) {
      options.signal?.throwIfAborted();
      const again = started ? isTransient(error) : error instanceof ConnectionError && error.delivered === 'never';
      if (!again || (await pause(backoff, retryAfterOf(error), options.signal)) === 'give-up') throw error;
    }
  }
}

async function pause(
  backoff: Backoff,
  atLeastMs: number,
  signal: AbortSignal | undefined,
): Promise<'go-on' | 'give-up'> {
  const delayMs = backoff.next(atLeastMs);
  if (delayMs === undefined) return 'give-up';
  await sleep(delayMs, signal);
  return 'go-on';
}

async function oneRequest(
  transport: Transport,
  outer: AbortSignal | undefined,
  send: (signal: AbortSignal) => Promise<Response>,
): Promise<string> {
  const request = new AbortController();
  const abort = (): void => request.abort(outer?.reason);
  outer?.throwIfAborted();
  outer?.addEventListener('abort', abort, { once: true });
  try {
    const response = await withinSilence(send(request.signal), transport.silenceMs);
    return await readText(response, transport.silenceMs);
  } finally {
    outer?.removeEventListener('abort', abort);
    request.abort();
  }
}

/** The body's text. Keep-alive newlines, one a second, show that the connection lives. */
async function readText(response: Response, silenceMs: number): Promise<string> {
  if (response.body === null) return '';
  const reader = response.body.getReader() as ReadableStreamDefaultReader<Uint8Array>;
  const decoder = new TextDecoder();
  let text = '';
  for (;;) {
    const { done, value } = await withinSilence(reader.read(), silenceMs);
    if (done) return text + decoder.decode();
    text += decoder.decode(value, { stream: true });
  }
}

function checked(values: unknown, raiseError: boolean): unknown {
  const failure = (values as { __error__?: { error: string; message: string } } | null)?.__error__;
  if (failure && raiseError) throw new RunFailedError(failure.error, failure.message);
  return values;
}
