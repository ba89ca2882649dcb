// The activities of a worker. Plain functions over what processes/ has built.
import type { SweepActivities, ThreadActivities } from '../workflows/messages.js';
import type { ActivityDependencies } from './dependencies.js';
import { settleActivity } from './settle.js';
import { superstepActivity } from './superstep.js';
import { sweepActivity } from './sweep.js';

export type { ActivityDependencies, ActivitySettings } from './dependencies.js';

export function createActivities(deps: ActivityDependencies): ThreadActivities & SweepActivities {
  return { superstep: superstepActivity(deps), settle: settleActivity(deps), sweep: sweepActivity(deps) };
}
