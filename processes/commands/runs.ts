import type { Command } from 'commander';
import type { Run, SuperstepClient, Thread } from '../../client/index.js';
import { addConnectionOptions, connect, type ConnectionOptions } from './connection.js';
import { EXIT, type ExitCode } from './exit-codes.js';
import { createTerminal, table } from './terminal.js';
import { UsageError } from './usage-error.js';

interface RunsOptions extends ConnectionOptions {
  readonly thread?: string;
  readonly limit: string;
}

export function addRunsCommand(program: Command, finish: (code: ExitCode) => void): void {
  addConnectionOptions(program.command('runs'))
    .description('list runs, newest first')
    .option('--thread <id>', 'only those of a thread')
    .option('--limit <n>', 'at most so many', '20')
    .action(async (options: RunsOptions) => {
      const limit = Number(options.limit);
      if (!Number.isInteger(limit) || limit < 1)
        throw new UsageError(`--limit: expected a whole number above 0, got "${options.limit}".`);
      await list(connect(options, 3), options.thread, limit);
      finish(EXIT.success);
    });
}

async function list(client: SuperstepClient, threadId: string | undefined, limit: number): Promise<void> {
  const threads =
    threadId === undefined
      ? await client.threads.search({ limit, sortBy: 'updated_at', sortOrder: 'desc' })
      : [await client.threads.get(threadId)];
  const found = await Promise.all(
    threads.map(async (thread) =>
      (await client.runs.list(thread.thread_id, { limit })).map((run, age) => ({ run, thread, age })),
    ),
  );
  const newest = found
    .flat()
    .sort((a, b) => b.run.created_at.localeCompare(a.run.created_at))
    .slice(0, limit);
  const terminal = createTerminal();
  if (newest.length === 0) return terminal.note('No runs.');
  const rows = newest.map(({ run, thread, age }) => [
    run.run_id,
    run.thread_id,
    graphOf(run, thread),
    statusOf(run, thread, age),
    run.created_at,
  ]);
  for (const line of table([['RUN', 'THREAD', 'GRAPH', 'STATUS', 'CREATED'], ...rows])) terminal.line(line);
}

const graphOf = (run: Run, thread: Thread): string => {
  const graph = run.metadata.graph_id ?? thread.metadata.graph_id;
  return typeof graph === 'string' ? graph : run.assistant_id;
};

/** A waiting run reads as a success on the Platform's routes; that its thread is interrupted tells the two apart. */
const statusOf = (run: Run, thread: Thread, age: number): string =>
  age === 0 && run.status === 'success' && thread.status === 'interrupted' ? 'waits for you' : run.status;
