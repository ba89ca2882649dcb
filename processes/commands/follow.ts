// What run, tail and resume have in common: print a run's stream to its end, or until Ctrl-C, and say how it stands.
import type { FollowOptions, StreamEvent, SuperstepClient } from '../../client/index.js';
import { questionsOf } from './answers.js';
import { EXIT, type ExitCode } from './exit-codes.js';
import { printQuestions, printResult } from './outcome-printer.js';
import { RunPrinter } from './run-printer.js';
import type { Terminal } from './terminal.js';

export interface FollowedRun {
  readonly threadId: string;
  /** Known once the service has accepted the run. */
  runId?: string;
}

interface RunError {
  readonly error: string;
  readonly message: string;
}

export type Format = 'text' | 'json';

export async function followRun(
  client: SuperstepClient,
  terminal: Terminal,
  run: FollowedRun,
  format: Format,
  open: (options: FollowOptions) => AsyncIterable<StreamEvent>,
): Promise<ExitCode> {
  const printer = new RunPrinter(terminal);
  const detaching = new AbortController();
  const detach = (): void => detaching.abort(new Error('detached'));
  process.once('SIGINT', detach);
  let outage = false;
  let error: RunError | undefined;
  try {
    const events = open({
      signal: detaching.signal,
      onReconnect: ({ cause }) => {
        if (outage) return;
        outage = true;
        printer.interlude();
        terminal.note(
          cause
            ? 'Connection lost; reconnecting. The run goes on meanwhile.'
            : 'The service is stopping; reconnecting.',
        );
      },
    });
    for await (const event of events) {
      if (outage) terminal.note('Reconnected.');
      outage = false;
      if (format === 'json') terminal.line(JSON.stringify(event));
      else printer.print(event);
      if (event.event === 'error') error = event.data as RunError;
    }
    printer.end();
    return await tellOutcome(client, terminal, run, format, error);
  } catch (failure) {
    if (!detaching.signal.aborted) throw failure;
    printer.end();
    terminal.note(detachedNote(run));
    return EXIT.detached;
  } finally {
    process.removeListener('SIGINT', detach);
  }
}

async function tellOutcome(
  client: SuperstepClient,
  terminal: Terminal,
  { threadId, runId }: FollowedRun,
  format: Format,
  error: RunError | undefined,
): Promise<ExitCode> {
  if (error) {
    if (format === 'text') terminal.line(terminal.style.red(`✗ The run failed: ${error.error}: ${error.message}`));
    return EXIT.failed;
  }
  if (runId === undefined) return EXIT.unreachable;
  const { status } = await client.processes.get(runId);
  if (status === 'interrupted') {
    if (format === 'text') terminal.line(terminal.style.yellow('■ The run was cancelled.'));
    return EXIT.cancelled;
  }
  if (status === 'error' || status === 'timeout') return EXIT.failed;
  const state = await client.threads.getState(threadId);
  const waits = status === 'paused';
  if (format === 'json')
    terminal.line(JSON.stringify({ event: 'outcome', data: { status, next: state.next, values: state.values } }));
  else if (waits) printQuestions(terminal, runId, questionsOf(state), state.next);
  else printResult(terminal, state.values);
  return waits ? EXIT.waits : EXIT.success;
}

const detachedNote = ({ runId }: FollowedRun): string =>
  runId === undefined
    ? 'Stopped before the service answered.'
    : `Detached; the run goes on. Follow it again: superstep tail ${runId}`;
