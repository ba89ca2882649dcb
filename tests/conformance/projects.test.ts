// Projects as their authors have them, whose packages import LangGraph too: each runs in one process with LangGraph and
// in another with this engine in its place.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { ProjectStep } from '../fixtures/processes/run-project.js';

const run = promisify(execFile);
const timeoutMs = 120_000;

const human = (content: string) => ({ messages: [{ type: 'human', content, id: `human: ${content}` }] });
const modes = ['values', 'updates', 'messages', 'custom', 'tasks', 'checkpoints'];

type Scenarios = Readonly<Record<string, readonly ProjectStep[]>>;

async function tracesOf(project: string, engineAlias: 'on' | 'off', scenarios: Scenarios): Promise<unknown[][]> {
  const script = join('tests', 'fixtures', 'processes', 'run-project.ts');
  const file = join(process.cwd(), 'tests', 'fixtures', 'projects', project, 'agent.ts');
  const args = ['--import', 'tsx', script, file, engineAlias, JSON.stringify(Object.values(scenarios))];
  const { stdout } = await run(process.execPath, args, { maxBuffer: 64 * 1024 * 1024 });
  return JSON.parse(stdout) as unknown[][];
}

function compare(project: string, scenarios: Scenarios): void {
  describe(project, () => {
    let traces: readonly [theirs: unknown[][], ours: unknown[][]];
    beforeAll(async () => {
      traces = await Promise.all([tracesOf(project, 'off', scenarios), tracesOf(project, 'on', scenarios)]);
    }, timeoutMs);

    test.each(Object.keys(scenarios).map((name, index) => [name, index] as const))('%s', (_name, index) => {
      const [theirs, ours] = traces.map((trace) => trace[index]);
      for (const entry of theirs as unknown[]) expect(entry).toHaveProperty('gives');
      expect(ours).toEqual(theirs);
    });
  });
}

const look: readonly ProjectStep[] = [{ kind: 'state' }, { kind: 'history' }, { kind: 'drawing' }];

compare('state-graph-agent', {
  'a question to a person, answered': [
    { kind: 'stream', input: human('How far is Ulm?'), streamMode: modes },
    { kind: 'state' },
    { kind: 'resume', answer: true, streamMode: modes },
    ...look,
  ],
  'a negative answer': [
    { kind: 'invoke', input: human('How far is Ulm?') },
    { kind: 'resume', answer: { booked: false }, streamMode: ['updates'] },
    ...look,
  ],
});

const decide = (...decisions: object[]): readonly ProjectStep[] => [
  { kind: 'stream', input: human('Write to Ada.'), streamMode: modes },
  { kind: 'state' },
  { kind: 'resume', answer: { decisions }, streamMode: modes },
  ...look,
];
compare('approval', {
  approved: decide({ type: 'approve' }),
  edited: decide({
    type: 'edit',
    editedAction: { name: 'send_email', args: { to: 'ada@example.org', subject: 'Good evening' } },
  }),
  rejected: decide({ type: 'reject', message: 'Not today.' }),
});

compare('deep-agent', {
  'plans, asks its sub-agent and writes a file': [
    { kind: 'stream', input: human('Report on whales.'), streamMode: modes },
    ...look,
  ],
});

compare('supervisor', {
  'hands work to both agents': [
    { kind: 'stream', input: human('How many live in Ulm and Bern?'), streamMode: modes },
    ...look,
  ],
});

compare('swarm', {
  'agents hand over, and the one that spoke last is spoken to': [
    { kind: 'stream', input: human('A pirate, please.'), streamMode: modes },
    { kind: 'stream', input: human('And now?'), streamMode: modes },
    { kind: 'stream', input: human('Alice again.'), streamMode: modes },
    ...look,
  ],
});
