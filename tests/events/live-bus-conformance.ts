// What any live bus must do; run with `liveBusConformance(name, makeBus)`.
import { describe, expect, test } from '@jest/globals';
import type { LiveBus, LiveEntry } from '../../events/live-bus.js';
import { frame } from './fixtures.js';

const live = (seq: number): LiveEntry => ({ entry: frame(seq, seq), previousSeq: seq - 1 });
const seqs = (entries: readonly LiveEntry[]): number[] => entries.map(({ entry }) => entry.seq);

export interface BusUnderTest {
  readonly bus: LiveBus;
  /** Resolves when all that was published has reached its subscribers. */
  readonly settled: () => Promise<void>;
}

export function liveBusConformance(name: string, makeBus: () => BusUnderTest): void {
  describe(`${name} as a live bus`, () => {
    test('delivers to every subscriber of the run, in publishing order, and to no other', async () => {
      const { bus, settled } = makeBus();
      const got: number[][] = [[], [], []];
      bus.subscribe('a', (entries) => got[0]?.push(...seqs(entries)));
      bus.subscribe('a', (entries) => got[1]?.push(...seqs(entries)));
      bus.subscribe('b', (entries) => got[2]?.push(...seqs(entries)));
      bus.publish('a', [live(0), live(1)]);
      bus.publish('a', [live(2)]);
      await settled();
      expect(got).toEqual([[0, 1, 2], [0, 1, 2], []]);
    });

    test('gives who comes late what is not known to be logged, with no seam to what follows', async () => {
      const { bus, settled } = makeBus();
      bus.publish('a', [live(0), live(1), live(2)]);
      bus.logged('a', 0);
      await settled();
      const got: number[] = [];
      const { tail } = bus.subscribe('a', (entries) => got.push(...seqs(entries)));
      bus.publish('a', [live(3)]);
      await settled();
      expect([...seqs(tail), ...got]).toEqual([1, 2, 3]);
    });

    test('tells with each entry which one went before', async () => {
      const { bus, settled } = makeBus();
      bus.publish('a', [{ entry: frame(2 ** 24, 7), previousSeq: 4 }]);
      await settled();
      expect(bus.subscribe('a', () => undefined).tail[0]?.previousSeq).toBe(4);
    });

    test('stops delivering to a closed subscription and goes on with the others', async () => {
      const { bus, settled } = makeBus();
      const got: number[] = [];
      const listener = (entries: readonly LiveEntry[]): void => void got.push(...seqs(entries));
      const first = bus.subscribe('a', listener);
      bus.subscribe('a', listener);
      first.close();
      first.close();
      bus.publish('a', [live(0)]);
      await settled();
      expect(got).toEqual([0]);
    });

    test('lets a subscriber close itself while it is called', async () => {
      const { bus, settled } = makeBus();
      const got: number[] = [];
      const own = bus.subscribe('a', () => own.close());
      bus.subscribe('a', (entries) => got.push(...seqs(entries)));
      bus.publish('a', [live(0)]);
      await settled();
      expect(got).toEqual([0]);
    });
  });
}
