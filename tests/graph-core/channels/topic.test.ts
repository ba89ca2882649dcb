import { expect, test } from '@jest/globals';
import { Topic } from '../../../graph-core/channels/topic.js';

test('flattens lists among its writes', () => {
  const topic = new Topic<string>();
  topic.update(['a', ['b', 'c']]);
  expect(topic.get()).toEqual(['a', 'b', 'c']);
});

test('holds only the last superstep unless it accumulates', () => {
  const topic = new Topic<string>();
  topic.update(['a']);
  topic.update(['b']);
  expect(topic.get()).toEqual(['b']);
  expect(topic.update([])).toBe(true);
  expect(topic.isAvailable()).toBe(false);
});

test('keeps everything when it accumulates, and is then not changed by silence', () => {
  const topic = new Topic<string>({ accumulate: true });
  topic.update(['a']);
  topic.update(['b']);
  expect(topic.update([])).toBe(false);
  expect(topic.get()).toEqual(['a', 'b']);
});

test('drops what it has seen when it is unique, also after it was stored', () => {
  const topic = new Topic<string>({ unique: true });
  topic.update(['a', 'a', 'b']);
  expect(topic.get()).toEqual(['a', 'b']);
  const again = topic.fromCheckpoint(topic.checkpoint());
  again.update(['b', 'c']);
  expect(again.get()).toEqual(['c']);
});

test('stores a plain list, and reads the older pair of lists too', () => {
  const topic = new Topic<string>();
  topic.update(['a']);
  expect(topic.checkpoint()).toEqual(['a']);
  expect(topic.fromCheckpoint([['seen'], ['a', 'b']]).get()).toEqual(['a', 'b']);
});
