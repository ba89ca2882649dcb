// Streams: how soon and how fast events reach a client, and how soon a client that comes back sees the first one.
import { median, timed } from '../statistics.js';
import type { Row } from '../table.js';
import type { Subjects } from '../servers.js';

const madeAt = (data: string) => (JSON.parse(data) as { at: number }).at;

export async function measureEvents({ superstep, rounds }: Subjects): Promise<Row[]> {
  const { platform } = superstep;
  const stream = async (count: number, perSecond: number) => {
    const thread = await platform.createThread();
    const body = { assistant_id: 'events', input: { count, perSecond }, stream_mode: ['custom'] };
    const events = await platform.stream('POST', `/threads/${thread}/runs/stream`, { body });
    const custom = events.filter(({ event }) => event === 'custom');
    if (custom.length !== count) throw new Error(`${custom.length} of ${count} events arrived.`);
    return custom;
  };
  await stream(200, 200);
  const latencies: number[] = [];
  const rates: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    latencies.push(median((await stream(600, 200)).map(({ data, seenAt }) => seenAt - madeAt(data))));
    const burst = await stream(2_000, 0);
    const first = Math.min(...burst.map(({ data }) => madeAt(data)));
    rates.push((burst.length * 1_000) / ((burst.at(-1)?.seenAt ?? Number.NaN) - first));
  }
  const [latency, rate] = [median(latencies), median(rates)];
  return [
    {
      what: 'live event, node to client, at 200 events/s',
      unit: 'ms',
      ours: latency,
      target: 'median ≤ 15 ms',
      reached: latency <= 15,
    },
    {
      what: '2,000 custom events of one node, at the client',
      unit: 'events/s',
      ours: rate,
      target: '≥ 2,500 events/s',
      reached: rate >= 2_500,
    },
  ];
}

/** First event after a reconnect in the middle: of a run that goes on, and of one that has ended. */
export async function measureRejoin({ superstep, rounds }: Subjects): Promise<Row[]> {
  const { platform } = superstep;
  const live: number[] = [];
  const ended: number[] = [];
  const cold: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const thread = await platform.createThread();
    const body = { assistant_id: 'events', input: { count: 1_200, perSecond: 200 }, stream_mode: ['custom'] };
    const started = await platform.json<{ run_id: string }>('POST', `/threads/${thread}/runs`, body);
    const path = `/threads/${thread}/runs/${started.run_id}/stream`;
    await platform.stream('GET', path, { lastEventId: '-1', enough: ({ id }) => Number(id) >= 600 });
    const firstEvent = (lastEventId: string) =>
      timed(() => platform.stream('GET', path, { lastEventId, enough: () => true }));
    live.push(median([await firstEvent('300'), await firstEvent('400'), await firstEvent('500')]));
    await platform.json('GET', `/threads/${thread}/runs/${started.run_id}/join`);

    // A finished run is read with one query of its closed execution; the server has it cached after the first reader,
    // so each measurement is of a run that nobody has read.
    const chain = await platform.createThread();
    const run = await platform.createRun(chain, 'chain10', { count: 0, filler: '' });
    await platform.json('GET', `/threads/${chain}/runs/${run}/join`);
    const handle = superstep.temporal.workflow.getHandle(`thread:${chain}`);
    await handle.result();
    const chainPath = `/threads/${chain}/runs/${run}/stream`;
    ended.push(await timed(() => platform.stream('GET', chainPath, { lastEventId: '3', enough: () => true })));
    cold.push(median([await timed(() => handle.query('snapshot')), await timed(() => handle.query('snapshot'))]));
  }
  return [
    {
      what: 'rejoin in the middle, run live: first event',
      unit: 'ms',
      ours: median(live),
      target: '≤ 50 ms',
      reached: median(live) <= 50,
    },
    {
      what: 'rejoin in the middle, run finished: first event',
      unit: 'ms',
      ours: median(ended),
      bare: median(cold),
      target: '≤ 1.3 × a bare cold query',
      reached: median(ended) <= 1.3 * median(cold),
    },
  ];
}
