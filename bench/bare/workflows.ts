// The bare engine: what Temporal alone takes for the same number of activities, without a graph, state or events.
import { proxyActivities } from '@temporalio/workflow';
import type * as activities from './activities.js';

const { echo } = proxyActivities<typeof activities>({ startToCloseTimeout: '1 minute' });

/** `steps` activities, one after the other; each gets and gives `payload`. */
export async function sequence(steps: number, payload: string): Promise<number> {
  for (let step = 0; step < steps; step += 1) await echo(payload);
  return steps;
}
