// How a process is asked to stop: once by a signal, and a second time by somebody who does not want to wait.

export interface StopRequest {
  /** Aborted when the process is asked to stop. */
  readonly signal: AbortSignal;
  readonly asked: Promise<void>;
}

/** One Ctrl-C reaches a process several times: from the terminal, and passed on by npm and by scripts/start.mjs. */
const sameRequestMs = 1_000;

/** Takes over SIGINT and SIGTERM. Another one later on ends the process at once, as exit code 130. */
export function watchForStop(): StopRequest {
  const controller = new AbortController();
  const asked = new Promise<void>((resolve) => controller.signal.addEventListener('abort', () => resolve()));
  let firstAt = 0;
  const stop = () => {
    if (!controller.signal.aborted) {
      firstAt = performance.now();
      controller.abort();
    } else if (performance.now() - firstAt > sameRequestMs) process.exit(130);
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  return { signal: controller.signal, asked };
}
