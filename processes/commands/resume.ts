import type { Command } from 'commander';
import { FROM_THE_BEGINNING, type SuperstepClient } from '../../client/index.js';
import { questionsOf, resumeValue, type Answer } from './answers.js';
import { addConnectionOptions, connect, type ConnectionOptions } from './connection.js';
import type { ExitCode } from './exit-codes.js';
import { followRun } from './follow.js';
import { createTerminal } from './terminal.js';
import { parseJsonOption, UsageError } from './usage-error.js';

interface ResumeOptions extends ConnectionOptions {
  readonly value?: string;
  readonly approve?: boolean;
  readonly reject?: string;
  readonly edit?: string;
  readonly json?: boolean;
}

export function addResumeCommand(program: Command, finish: (code: ExitCode) => void): void {
  addConnectionOptions(program.command('resume'))
    .description('answer what a run waits for, and watch it go on')
    .argument('<run>', 'id of the run')
    .option('--value <json>', 'the answer; a record by interrupt id where the run asks several things')
    .option('--approve', 'approve every action it asks about')
    .option('--reject <reason>', 'reject every action it asks about')
    .option('--edit <json>', 'approve the action with other arguments')
    .option('--json', 'print every event as a line of JSON')
    .action(async (runId: string, options: ResumeOptions) => finish(await resume(runId, options)));
}

async function resume(runId: string, options: ResumeOptions): Promise<ExitCode> {
  const answer = answerOf(options);
  const client = connect(options);
  const { thread_id: threadId, status } = await connect(options, 3).processes.get(runId);
  if (status !== 'paused') throw new UsageError(`Run ${runId} waits for nothing: it is ${status}.`);
  const value = resumeValue(questionsOf(await client.threads.getState(threadId)), answer);
  const after = await lastEventId(client, threadId, runId);
  await client.runs.resume(threadId, runId, value);
  const format = options.json ? 'json' : 'text';
  return followRun(client, createTerminal(), { threadId, runId }, format, (follow) =>
    client.runs.joinStream(threadId, runId, { ...follow, lastEventId: after }),
  );
}

function answerOf({ value, approve, reject, edit }: ResumeOptions): Answer {
  const answers: Answer[] = [];
  if (value !== undefined) answers.push({ kind: 'value', value: parseJsonOption('--value', value) });
  if (approve) answers.push({ kind: 'approve' });
  if (reject !== undefined) answers.push({ kind: 'reject', reason: reject });
  if (edit !== undefined) answers.push({ kind: 'edit', args: parseJsonOption('--edit', edit) });
  const [answer] = answers;
  if (!answer || answers.length > 1) throw new UsageError('Give one of --value, --approve, --reject and --edit.');
  return answer;
}

/** Where the stream of a waiting run ends: what follows the answer comes after it. */
async function lastEventId(client: SuperstepClient, threadId: string, runId: string): Promise<string> {
  let last = FROM_THE_BEGINNING;
  for await (const { id } of client.runs.joinStream(threadId, runId, { lastEventId: FROM_THE_BEGINNING }))
    last = id ?? last;
  return last;
}
