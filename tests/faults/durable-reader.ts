// A reader that goes on where it was, whatever happens to its connection.
import { expect } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import { openSse, readSse, type SseEvent } from '../support/sse.js';
import { isOpen, type PatientClient, type RunIds } from './patient-client.js';
import type { Random } from './random.js';

/** Beside the cuts that kills make. */
const CUT_AFTER_EVENT = 0.02;
const RETRY_MS = 100;

/**
 * Reads until the run has ended or waits, and checks what a reader may rely on: ids strictly increase, a stream that ends
 * in good order is complete, and what came in pieces is what a late reader gets at once.
 */
export async function readThroughOutages(
  client: PatientClient,
  ids: RunIds,
  random: Random,
  /** Filled as they come. */
  events: SseEvent[] = [],
): Promise<SseEvent[]> {
  const url = `${client.platform.url}/threads/${ids.thread}/runs/${ids.run}/stream`;
  for (;;) {
    const end = await connect(url, events, random);
    if (end === 'cut') continue;
    if (end === 'lost') await delay(RETRY_MS);
    else if (!isOpen(await client.status(ids))) break;
    else throw new Error(`The stream of run ${ids.run} ended in good order, but the run goes on.`);
  }
  const numbers = events.map(({ id }) => Number(id));
  expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
  return events;
}

async function connect(url: string, events: SseEvent[], random: Random): Promise<'complete' | 'cut' | 'lost'> {
  let cut = false;
  try {
    await openSse(url, {
      lastEventId: events.at(-1)?.id ?? -1,
      until: (event) => {
        events.push(event);
        cut = random.chance(CUT_AFTER_EVENT);
        return cut;
      },
    });
    return cut ? 'cut' : 'complete';
  } catch {
    return 'lost';
  }
}

/** To be called when nothing is killed any more: a late reader gets the same. */
export async function checkReplay(client: PatientClient, ids: RunIds, events: readonly SseEvent[]): Promise<void> {
  const url = `${client.platform.url}/threads/${ids.thread}/runs/${ids.run}/stream`;
  expect(await readSse(url, { lastEventId: -1 })).toEqual(events);
}

interface Message {
  readonly id: string;
  readonly type: string;
  readonly content: string;
}

/** The final message, put together from its chunks in whatever form they came. Lost attempts have messages of their own. */
export function checkMessages(events: readonly SseEvent[], text: string): void {
  const values = events.filter(({ event }) => event === 'values').at(-1)?.data as { messages: Message[] };
  const final = values.messages.at(-1);
  expect(final?.content).toBe(text);
  const contentsOf = (mode: RegExp): string[] =>
    events
      .filter(({ event }) => mode.test(event))
      .map(({ data }) => (data as [Message])[0])
      .filter(({ id }) => id === final?.id)
      .map(({ content }) => content);
  const chunks = contentsOf(/^messages(\|.*)?$/);
  const soFar = contentsOf(/^messages\/partial$/);
  expect(chunks.length > 0 ? chunks.join('') : soFar.at(-1)).toBe(text);
}

interface Message {
  readonly id: string;
  readonly content: string;
}
