import { expect, test } from '@jest/globals';
import { BinaryOperatorAggregate } from '../../../graph-core/channels/reducer.js';
import { Overwrite } from '../../../graph-core/overwrite.js';

const append = (list: readonly string[], more: readonly string[]): readonly string[] => [...list, ...more];
const list = (): BinaryOperatorAggregate<readonly string[]> => new BinaryOperatorAggregate(append, () => ['default']);

test('folds the writes of a superstep in the order given', () => {
  const channel = list();
  channel.update([['a'], ['b']]);
  channel.update([['c']]);
  expect(channel.get()).toEqual(['default', 'a', 'b', 'c']);
});

test('keeps the first write as it is where there is no default', () => {
  const channel = new BinaryOperatorAggregate<readonly string[]>(() => {
    throw new Error('There is nothing to fold into.');
  });
  channel.update([['first']]);
  expect(channel.get()).toEqual(['first']);
});

test.each([new Overwrite(['new']), { __overwrite__: ['new'] }, { type: '__overwrite__', value: ['new'] }])(
  'is replaced by an overwrite in the form %j, and later siblings do not count',
  (overwrite) => {
    const channel = list();
    channel.update([['lost'], overwrite as Overwrite<readonly string[]>, ['late']]);
    expect(channel.get()).toEqual(['new']);
  },
);

test('refuses two overwrites in one superstep', () => {
  expect(() => list().update([new Overwrite(['a']), new Overwrite(['b'])])).toThrow(
    'Can receive only one Overwrite value per step.',
  );
});

test('equals a channel with the same reducer function, no other', () => {
  expect(list().equals(list())).toBe(true);
  expect(list().equals(new BinaryOperatorAggregate((a: readonly string[]) => a) as never)).toBe(false);
});
