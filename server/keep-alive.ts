// A JSON answer that takes its time: the status line at once, then a newline each second until the body is there. JSON
// allows white space in front.
import type { Response } from 'express';
import type { StreamEnd } from './sse/response.js';

/** As the reference server; proxies close a silent connection after 30 s or more. */
const KEEP_ALIVE_MS = 1_000;

/** `answer` gives JSON text, and stops waiting when its signal is aborted. */
export async function sendWhenReady(
  res: Response,
  answer: (signal: AbortSignal) => Promise<string>,
  closing: AbortSignal,
): Promise<StreamEnd> {
  const gone = new AbortController();
  const leave = (): void => gone.abort();
  res.once('close', leave);
  closing.addEventListener('abort', leave, { once: true });
  if (closing.aborted || res.destroyed) leave();
  res
    .status(200)
    .set({ 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store', 'x-accel-buffering': 'no' });
  res.flushHeaders();
  const timer = setInterval(() => {
    if (!res.writableNeedDrain) res.write('\n');
  }, KEEP_ALIVE_MS);
  try {
    const body = await answer(gone.signal);
    if (!gone.signal.aborted) {
      res.end(body);
      return 'complete';
    }
  } finally {
    clearInterval(timer);
    res.off('close', leave);
    closing.removeEventListener('abort', leave);
  }
  if (res.destroyed) return 'disconnected';
  // An ended body of newlines would read as an answer that is no JSON; a cut connection reads as what it is.
  res.destroy();
  return 'closing';
}
