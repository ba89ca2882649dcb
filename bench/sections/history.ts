// The budget of history events: what a superstep and a second of streaming leave in Temporal.
import type { Row } from '../table.js';
import type { Subjects } from '../servers.js';

const STEPS = 10;
const STREAM_SECONDS = 30;

export async function measureHistory({ superstep }: Subjects): Promise<Row[]> {
  const { platform, temporal } = superstep;
  const eventsOf = async (graph: string, input: unknown) => {
    const thread = await platform.createThread();
    await platform.json('POST', `/threads/${thread}/runs/wait`, {
      assistant_id: graph,
      input,
      stream_mode: ['values', 'custom'],
    });
    const handle = temporal.workflow.getHandle(`thread:${thread}`);
    await handle.result();
    return (await handle.fetchHistory()).events?.length ?? 0;
  };
  const one = await eventsOf('one', { count: 0, filler: '' });
  const ten = await eventsOf('chain10', { count: 0, filler: '' });
  const quiet = await eventsOf('events', { count: 1, perSecond: 100 });
  const busy = await eventsOf('events', { count: STREAM_SECONDS * 100, perSecond: 100 });
  const [perStep, perSecond] = [(ten - one) / (STEPS - 1), (busy - quiet) / STREAM_SECONDS];
  return [
    {
      what: 'history events of a superstep',
      unit: 'events',
      ours: perStep,
      target: '≤ 6',
      reached: perStep <= 6,
    },
    {
      what: 'history events of a second of streaming, with the live bus',
      unit: 'events',
      ours: perSecond,
      target: '≤ 1',
      reached: perSecond <= 1,
    },
  ];
}
