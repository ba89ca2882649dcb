import type { Command } from 'commander';
import { FROM_THE_BEGINNING } from '../../client/index.js';
import { addConnectionOptions, connect, type ConnectionOptions } from './connection.js';
import type { ExitCode } from './exit-codes.js';
import { followRun } from './follow.js';
import { createTerminal } from './terminal.js';

export function addTailCommand(program: Command, finish: (code: ExitCode) => void): void {
  addConnectionOptions(program.command('tail'))
    .description('watch a run from its beginning, whether it goes on, waits or is over')
    .argument('<run>', 'id of the run')
    .option('--json', 'print every event as a line of JSON')
    .action(async (runId: string, options: ConnectionOptions & { readonly json?: boolean }) => {
      const { thread_id: threadId } = await connect(options, 3).processes.get(runId);
      const client = connect(options);
      const format = options.json ? 'json' : 'text';
      const code = await followRun(client, createTerminal(), { threadId, runId }, format, (follow) =>
        client.runs.joinStream(threadId, runId, { ...follow, lastEventId: FROM_THE_BEGINNING }),
      );
      finish(code);
    });
}
