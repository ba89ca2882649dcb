import { describe, expect, test } from '@jest/globals';
import { Command } from '../../../graph-core/command.js';
import { NULL_TASK_ID } from '../../../graph-core/constants.js';
import { beginRun } from '../../../graph-core/engine/begin-run.js';
import { runSuperstep } from '../../../graph-core/engine/superstep.js';
import type { RunState, SavedState } from '../../../graph-core/engine/superstep-contract.js';
import { interrupt } from '../../../graph-core/interrupt.js';
import { graphOf, options, PlayedPorts, recovered, started } from './hand-built-graph.js';

const graph = graphOf(
  {
    ask: { run: () => ({ log: [String(interrupt('Which?'))] }), then: ['end'] },
    end: { run: () => ({ log: ['end'] }) },
  },
  ['ask'],
);

/** A thread that waits for an answer, as its saver has it. */
async function waiting(): Promise<SavedState & { readonly question: string }> {
  const from = await started(graph, { log: ['in'] });
  const ports = new PlayedPorts();
  const outcome = await runSuperstep(graph, from, options(), ports);
  if (outcome.kind !== 'interrupted') throw new Error('It did not ask.');
  return { ...recovered(outcome.state, ports).saved, question: String(outcome.interrupts[0]?.id) };
}

const command = (params: ConstructorParameters<typeof Command>[0]) =>
  ({ kind: 'command', command: new Command(params) }) as const;

const afterwards = (state: RunState) => runSuperstep(graph, state, options(), new PlayedPorts());

describe('new input', () => {
  test('is a checkpoint of its own before START has run', () => {
    const begun = beginRun(graph, undefined, { kind: 'input', value: { log: ['x'] } }, options());
    expect(begun.commits).toMatchObject([{ metadata: { source: 'input', step: -1, parents: {} } }]);
    expect(begun.commits[0]?.checkpoint.channel_values).toMatchObject({ __start__: { log: ['x'] }, log: [] });
    expect(begun.pendingWrites).toEqual([]);
  });

  test('gives up what was waiting and keeps the state', async () => {
    const begun = beginRun(graph, await waiting(), { kind: 'input', value: { log: ['new'] } }, options());
    const outcome = await afterwards(begun.state);
    expect(outcome).toMatchObject({ kind: 'continue', hidden: true, next: [{ node: 'ask' }] });
    expect(outcome.state.saved.checkpoint.channel_values['log']).toEqual(['in', 'new']);
  });
});

describe('a Command', () => {
  test('with an answer makes no checkpoint: the answer is a pending write of the one that waits', async () => {
    const saved = await waiting();
    const begun = beginRun(graph, saved, command({ resume: 'this' }), options());
    expect(begun.commits).toEqual([]);
    expect(begun.pendingWrites).toEqual([
      { config: saved.config, taskId: NULL_TASK_ID, writes: [['__resume__', 'this']] },
    ]);
    const outcome = await afterwards(begun.state);
    expect(outcome.state.saved.checkpoint.channel_values['log']).toEqual(['in', 'this']);
  });

  test('with an answer can be begun again after a death: the answer counts once', async () => {
    const saved = await waiting();
    const [answer] = beginRun(graph, saved, command({ resume: 'this' }), options()).pendingWrites;
    const written = (answer?.writes ?? []).map(([channel, value]): [string, string, unknown] => [
      NULL_TASK_ID,
      channel,
      value,
    ]);
    const again = { ...saved, pendingWrites: [...saved.pendingWrites, ...written] };
    const outcome = await afterwards(beginRun(graph, again, command({ resume: 'this' }), options()).state);
    expect(outcome.state.saved.checkpoint.channel_values['log']).toEqual(['in', 'this']);
  });

  test('with an answer by id answers that question', async () => {
    const { question, ...saved } = await waiting();
    const begun = beginRun(graph, saved, command({ resume: { [question]: 'by id' } }), options());
    const outcome = await afterwards(begun.state);
    expect(outcome.state.saved.checkpoint.channel_values['log']).toEqual(['in', 'by id']);
  });

  test('with an update and an answer shows the update at once and applies it once', async () => {
    const begun = beginRun(graph, await waiting(), command({ resume: 'this', update: { log: ['up'] } }), options());
    expect(begun.chunks).toEqual([
      { ns: [], mode: 'values', payload: { log: ['in', 'up'] }, envelope: expect.objectContaining({ step: 0 }) },
    ]);
    const outcome = await afterwards(begun.state);
    expect(outcome.state.saved.checkpoint.channel_values['log']).toEqual(['in', 'up', 'this']);
  });

  test('with a goto only is input: a checkpoint, and the node it leads to runs beside what waits', async () => {
    const begun = beginRun(graph, await waiting(), command({ goto: 'end' }), options());
    expect(begun.commits).toMatchObject([{ metadata: { source: 'input' } }]);
    expect(await afterwards(begun.state)).toMatchObject({ kind: 'interrupted', next: [{ node: 'ask' }] });
  });

  test.each([
    ['empty', {}, 'Received empty Command input'],
    ['to a parent', { graph: Command.PARENT, goto: 'end' }, 'There is no parent graph.'],
  ])('that is %s is refused', async (_name, params, message) => {
    const saved = await waiting();
    expect(() => beginRun(graph, saved, command(params), options())).toThrow(message);
  });

  test('with an answer needs a checkpointer', () => {
    expect(() => beginRun(graph, undefined, command({ resume: 1 }), options())).toThrow(
      'Cannot use Command(resume=...) without checkpointer',
    );
  });
});

describe('nothing', () => {
  test('goes on with what is unfinished, the values first', async () => {
    const begun = beginRun(graph, await waiting(), { kind: 'nothing' }, options());
    expect(begun.chunks).toMatchObject([{ mode: 'values', payload: { log: ['in'] } }]);
    expect(await afterwards(begun.state)).toMatchObject({ kind: 'interrupted', interrupts: [{ value: 'Which?' }] });
  });

  test('is refused on a new thread', () => {
    expect(() => beginRun(graph, undefined, { kind: 'nothing' }, options())).toThrow(
      'Received no input writes for "__start__"',
    );
  });

  test('from an earlier checkpoint forks it first', async () => {
    const saved = { ...(await waiting()), superseded: true };
    const back = options({
      config: { configurable: { ...options().config.configurable, checkpoint_id: saved.checkpoint.id } },
    });
    const begun = beginRun(graph, saved, { kind: 'nothing' }, back);
    expect(begun.commits).toMatchObject([
      { metadata: { source: 'fork', step: 1 }, parentConfig: { configurable: { checkpoint_id: saved.checkpoint.id } } },
    ]);
    expect(begun.state.saved.pendingWrites).toEqual([]);
  });
});

test.each([0, -1, Number.NaN, null, 'many'])('a limit of %s is refused', (recursionLimit) => {
  const run = options({ config: { ...options().config, recursionLimit: recursionLimit as number } });
  expect(() => beginRun(graph, undefined, { kind: 'input', value: {} }, run)).toThrow(
    'Passed "recursionLimit" must be at least 1.',
  );
});
