// How a process is asked to stop: once by a signal, and a second time by somebody who does not want to wait.

export interface StopRequest {
  /** Aborted when the process is asked to stop. */
  readonly signal: AbortSignal;
  readonly asked: Promise<void>;
}

/** Takes over SIGINT and SIGTERM. A second one ends the process at once, as exit code 130. */
export function watchForStop(): StopRequest {
  const controller = new AbortController();
  const asked = new Promise<void>((resolve) => controller.signal.addEventListener('abort', () => resolve()));
  const stop = () => {
    if (controller.signal.aborted) process.exit(130);
    controller.abort();
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  return { signal: controller.signal, asked };
}
