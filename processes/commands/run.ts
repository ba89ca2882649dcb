import type { Command } from 'commander';
import { addConnectionOptions, connect, type ConnectionOptions } from './connection.js';
import type { ExitCode } from './exit-codes.js';
import { followRun, type FollowedRun } from './follow.js';
import { PRINTED_MODES } from './run-printer.js';
import { createTerminal } from './terminal.js';
import { parseJsonOption, UsageError } from './usage-error.js';

interface RunCommandOptions extends ConnectionOptions {
  readonly input?: string;
  readonly message?: string;
  readonly thread?: string;
  readonly json?: boolean;
}

export function addRunCommand(program: Command, finish: (code: ExitCode) => void): void {
  addConnectionOptions(program.command('run'))
    .description('start a run of a graph and watch it')
    .argument('<graph>', 'name of a graph or id of an assistant')
    .option('--input <json>', 'input of the graph')
    .option('--message <text>', 'input of a chat graph: one message of the user')
    .option('--thread <id>', 'thread to run on; made if there is none (default: a new one)')
    .option('--json', 'print every event as a line of JSON')
    .action(async (graph: string, options: RunCommandOptions) => finish(await run(graph, options)));
}

async function run(graph: string, options: RunCommandOptions): Promise<ExitCode> {
  const input = inputOf(options);
  const terminal = createTerminal();
  const { thread_id: threadId } = await connect(options, 3).threads.create({
    ifExists: 'do_nothing',
    ...(options.thread !== undefined && { threadId: options.thread }),
  });
  const client = connect(options);
  const run: FollowedRun = { threadId };
  const format = options.json ? 'json' : 'text';
  const request = { input, streamMode: PRINTED_MODES, streamSubgraphs: true, onDisconnect: 'continue' } as const;
  return followRun(client, terminal, run, format, (follow) =>
    client.runs.stream(threadId, graph, request, {
      ...follow,
      onRunCreated: ({ runId }) => {
        run.runId = runId;
        if (format === 'text') terminal.line(terminal.style.dim(`${graph}: run ${runId} on thread ${threadId}`));
      },
    }),
  );
}

/** On a thread that exists, no input means: go on where it stands. */
function inputOf({ input, message, thread }: RunCommandOptions): unknown {
  if (input !== undefined && message !== undefined) throw new UsageError('--input and --message exclude each other.');
  if (message !== undefined) return { messages: [{ role: 'user', content: message }] };
  if (input !== undefined) return parseJsonOption('--input', input);
  return thread === undefined ? {} : null;
}
