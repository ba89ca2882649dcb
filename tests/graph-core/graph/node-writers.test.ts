import { expect, test } from '@jest/globals';
import { Command, Send } from '../../../graph-core/index.js';
import type { NodeWriter } from '../../../graph-core/engine/graph-spec.js';
import { barrierWriter, commandWriter, edgeWriter, stateWriter } from '../../../graph-core/graph/node-writers.js';

async function writesOf(writer: NodeWriter, output: unknown): Promise<[string, unknown][]> {
  const writes: [string, unknown][] = [];
  await writer(output, {
    write: (channel, value) => void writes.push([channel, value]),
    readFresh: () => ({}),
    config: {},
  });
  return writes;
}

const state = stateWriter('node', ['a', 'b']);

test('known keys are written in the order of the update, undefined values too', async () => {
  expect(await writesOf(state, { b: undefined, other: 1, a: 1 })).toEqual([
    ['b', undefined],
    ['a', 1],
  ]);
});

test.each([null, undefined, false, 0, ''])('%p is no update', async (output) => {
  expect(await writesOf(state, output)).toEqual([]);
});

test.each([
  ['text', 'string'],
  [7, 'number'],
  [[{ a: 1 }], 'array'],
])('%p is refused by its kind', (output, kind) => {
  expect(() => state(output, undefined as never)).toThrow(
    `Expected node "node" to return an object or an array containing at least one Command object, received ${kind}`,
  );
});

test('updates and Commands mix, in order; one for the parent updates nothing here', async () => {
  const output = [
    { a: 1 },
    new Command({
      update: [
        ['b', 2],
        ['c', 3],
      ],
    }),
    new Command({ graph: Command.PARENT, update: { a: 9 } }),
  ];
  expect(await writesOf(state, output)).toEqual([
    ['a', 1],
    ['b', 2],
  ]);
});

test('a value that does not parse leaves no write behind', async () => {
  const writes: unknown[] = [];
  const writer = stateWriter('node', ['a', 'b'], (key, value) => {
    if (key === 'b') throw new TypeError('bad b');
    return value;
  });
  const context = { write: (...write: unknown[]) => void writes.push(write), readFresh: () => ({}), config: {} };
  await expect(Promise.resolve(writer({ a: 1, b: 2 }, context))).rejects.toThrow('bad b');
  expect(writes).toEqual([]);
});

test('a state of one value takes any output but none', async () => {
  const root = stateWriter('node', ['__root__']);
  expect(await writesOf(root, 0)).toEqual([['__root__', 0]]);
  expect(await writesOf(root, null)).toEqual([]);
  expect(await writesOf(root, new Command({ update: 'x' }))).toEqual([['__root__', 'x']]);
});

test('goto leads to nodes and tasks, and END nowhere', async () => {
  const send = new Send('c', { x: 1 });
  expect(await writesOf(commandWriter('node'), new Command({ goto: ['b', send, '__end__'] }))).toEqual([
    ['branch:to:b', 'node'],
    ['__pregel_tasks', send],
  ]);
});

test('a Command for the parent leaves the graph', () => {
  const command = new Command({ graph: Command.PARENT, goto: 'x' });
  expect(() => commandWriter('node')(command, undefined as never)).toThrow(
    expect.objectContaining({ name: 'ParentCommand', command }),
  );
});

test('edges trigger whatever the output was', async () => {
  expect(await writesOf(edgeWriter('next'), undefined)).toEqual([['branch:to:next', null]]);
  expect(await writesOf(barrierWriter('join:a+b:c', 'a'), undefined)).toEqual([['join:a+b:c', 'a']]);
});
