// Projects as their authors have them, whose packages import LangGraph too: each runs in one process with LangGraph and
// in another with this engine in its place.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import type { ProjectStep } from '../fixtures/processes/run-project.js';

const run = promisify(execFile);
const timeoutMs = 120_000;

const human = (content: string) => ({ messages: [{ type: 'human', content, id: `human: ${content}` }] });
const modes = ['values', 'updates', 'messages', 'custom', 'tasks', 'checkpoints'];

async function traceOf(project: string, engineAlias: 'on' | 'off', steps: readonly ProjectStep[]): Promise<unknown[]> {
  const script = join('tests', 'fixtures', 'processes', 'run-project.ts');
  const file = join(process.cwd(), 'tests', 'fixtures', 'projects', project, 'agent.ts');
  const args = ['--import', 'tsx', script, file, engineAlias, JSON.stringify(steps)];
  const { stdout } = await run(process.execPath, args, { maxBuffer: 64 * 1024 * 1024 });
  return (JSON.parse(stdout) as { entries: unknown[] }).entries;
}

function compare(project: string, name: string, steps: readonly ProjectStep[]): void {
  test(
    `${project}: ${name}`,
    async () => {
      const [theirs, ours] = await Promise.all([traceOf(project, 'off', steps), traceOf(project, 'on', steps)]);
      expect(theirs).toHaveLength(steps.length);
      for (const entry of theirs) expect(entry).toHaveProperty('gives');
      expect(ours).toEqual(theirs);
    },
    timeoutMs,
  );
}

const look: readonly ProjectStep[] = [{ kind: 'state' }, { kind: 'history' }, { kind: 'drawing' }];

compare('state-graph-agent', 'a question to a person, answered', [
  { kind: 'stream', input: human('How far is Ulm?'), streamMode: modes },
  { kind: 'state' },
  { kind: 'resume', answer: true, streamMode: modes },
  ...look,
]);
compare('state-graph-agent', 'a falsy answer', [
  { kind: 'invoke', input: human('How far is Ulm?') },
  { kind: 'resume', answer: { booked: false }, streamMode: ['updates'] },
  ...look,
]);

const decide = (...decisions: object[]): readonly ProjectStep[] => [
  { kind: 'stream', input: human('Write to Ada.'), streamMode: modes },
  { kind: 'state' },
  { kind: 'resume', answer: { decisions }, streamMode: modes },
  ...look,
];
const edited = { name: 'send_email', args: { to: 'ada@example.org', subject: 'Good evening' } };
compare('approval', 'approved', decide({ type: 'approve' }));
compare('approval', 'edited', decide({ type: 'edit', editedAction: edited }));
compare('approval', 'rejected', decide({ type: 'reject', message: 'Not today.' }));

compare('deep-agent', 'plans, asks its sub-agent and writes a file', [
  { kind: 'stream', input: human('Report on whales.'), streamMode: modes },
  ...look,
]);
compare('supervisor', 'hands work to both agents', [
  { kind: 'stream', input: human('How many live in Ulm and Bern?'), streamMode: modes },
  ...look,
]);
compare('swarm', 'agents hand over, and the one that spoke last is spoken to', [
  { kind: 'stream', input: human('A pirate, please.'), streamMode: modes },
  { kind: 'stream', input: human('And now?'), streamMode: modes },
  { kind: 'stream', input: human('Alice again.'), streamMode: modes },
  ...look,
]);
