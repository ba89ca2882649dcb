// Where a run is found again: what an answer's `Content-Location` and `Location` headers say of it.
import { ProtocolError } from './errors.js';

export interface RunLocation {
  readonly runId: string;
  /** Absent for a run without a thread of the caller's. */
  readonly threadId?: string;
}

/**
 * Only the ids are taken from the headers, never an address: a request with the caller's key goes nowhere but to the
 * service it was given.
 * @throws ProtocolError where neither header names a run.
 */
export function locateRun(response: Response): RunLocation {
  for (const name of ['location', 'content-location']) {
    const [, threadId, runId] = /(?:\/threads\/([^/]+))?\/runs\/([^/?#]+)/.exec(response.headers.get(name) ?? '') ?? [];
    if (runId === undefined || runId === 'stream' || runId === 'wait') continue;
    return {
      runId: decodeURIComponent(runId),
      ...(threadId !== undefined && { threadId: decodeURIComponent(threadId) }),
    };
  }
  throw new ProtocolError(`${response.url} answered without a Content-Location: the run cannot be found again.`);
}

export function runPath({ threadId, runId }: RunLocation): string {
  return `${runsPath(threadId)}/${encodeURIComponent(runId)}`;
}

export function runsPath(threadId: string | null | undefined): string {
  return threadId == null ? '/runs' : `/threads/${encodeURIComponent(threadId)}/runs`;
}
