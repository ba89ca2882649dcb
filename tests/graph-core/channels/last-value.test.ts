import { expect, test } from '@jest/globals';
import { LastValue } from '../../../graph-core/channels/last-value.js';

test('takes one value per superstep', () => {
  const channel = new LastValue<number>();
  channel.update([1]);
  channel.update([2]);
  expect(channel.get()).toBe(2);
});

test('refuses two values of one superstep, with the code of concurrent updates', () => {
  expect(() => new LastValue<number>().update([1, 2])).toThrow(
    expect.objectContaining({
      name: 'InvalidUpdateError',
      lc_error_code: 'INVALID_CONCURRENT_GRAPH_UPDATE',
      message: expect.stringContaining('LastValue can only receive one value per step.') as unknown as string,
    }),
  );
});

test('keeps undefined as a value', () => {
  const channel = new LastValue<number | undefined>();
  channel.update([undefined]);
  expect(channel.isAvailable()).toBe(true);
  expect(channel.get()).toBeUndefined();
});

test('starts with its default', () => {
  expect(new LastValue(() => 7).get()).toBe(7);
  expect(new LastValue(() => 7).fromCheckpoint(8).get()).toBe(8);
});
