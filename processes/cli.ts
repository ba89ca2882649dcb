#!/usr/bin/env node
// The command line: what starts processes, and what talks to them.
import { Command, InvalidArgumentError, Option } from 'commander';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConnectionError, HttpError, StreamLostError } from '../client/index.js';
import { EXIT, EXIT_HELP, type ExitCode } from './commands/exit-codes.js';
import { addResumeCommand } from './commands/resume.js';
import { addRunCommand } from './commands/run.js';
import { addRunsCommand } from './commands/runs.js';
import { addTailCommand } from './commands/tail.js';
import { UsageError } from './commands/usage-error.js';
import { OperatorError } from './operator-error.js';
import type { DevOptions, ServerOptions, WorkerOptions } from './options.js';
import { packageRoot } from './package-root.js';

const port = (text: string): number => {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 0 || number > 65_535)
    throw new InvalidArgumentError('expected a TCP port.');
  return number;
};

/** Loaded when asked for: the commands that only talk to a service start without Temporal and Postgres. */
function addProcessCommands(program: Command): void {
  const graphs = (command: Command): Command =>
    command
      .option('--config <file>', 'the langgraph.json to serve (default: langgraph.json)')
      .addOption(
        new Option(
          '--engine-alias <on|off>',
          'whether imports of @langchain/langgraph get this engine (default: on)',
        ).choices(['on', 'off']),
      );
  const listen = (command: Command): Command =>
    command
      .option('--port <n>', 'port to serve (default: 2024, or the next free one)', port)
      .option('--host <address>', 'address to listen on (default: 127.0.0.1)');

  listen(graphs(program.command('dev').description('run everything here: Temporal, Postgres, server and worker')))
    .option('--data-dir <folder>', 'where Temporal and Postgres keep their data (default: .superstep)')
    .action(async (options: DevOptions) => (await import('./dev.js')).runDev(options));
  listen(
    graphs(program.command('server').description('serve HTTP; Temporal and Postgres are given by address')),
  ).action(async (options: ServerOptions) => (await import('./server.js')).runServer(options));
  graphs(program.command('worker').description('run supersteps; Temporal and Postgres are given by address')).action(
    async (options: WorkerOptions) => (await import('./worker.js')).runWorker(options),
  );
}

/** @returns the exit code for what went wrong, having said what it is. */
function report(error: unknown): ExitCode {
  const { message } = error as Error;
  if (error instanceof UsageError || error instanceof OperatorError) {
    process.stderr.write(`${message}\n`);
    return EXIT.usage;
  }
  if (error instanceof HttpError) {
    process.stderr.write(`The service refused. ${message}\n`);
    return error.status >= 500 ? EXIT.unreachable : EXIT.usage;
  }
  if (error instanceof ConnectionError || error instanceof StreamLostError) {
    process.stderr.write(`${message}\nIs the service running? Start it with: superstep dev\n`);
    return EXIT.unreachable;
  }
  process.stderr.write(`${(error as Error).stack ?? String(error)}\n`);
  return EXIT.failed;
}

async function main(): Promise<void> {
  const { version } = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')) as { version: string };
  const program = new Command('superstep')
    .description('Durable execution for agent graphs.')
    .version(version)
    .addHelpText('after', EXIT_HELP)
    .configureOutput({ outputError: (text, write) => write(text) })
    .exitOverride((exit) => {
      process.exit(exit.exitCode === 0 ? EXIT.success : EXIT.usage);
    });
  const finish = (code: ExitCode): void => {
    process.exitCode = code;
  };
  addProcessCommands(program);
  addRunCommand(program, finish);
  addTailCommand(program, finish);
  addResumeCommand(program, finish);
  addRunsCommand(program, finish);
  try {
    await program.parseAsync();
  } catch (error) {
    process.exitCode = report(error);
  }
}

// `superstep tail … | head`: the reader has seen enough, and the run goes on.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(EXIT.detached);
});

await main();
