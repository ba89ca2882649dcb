// What activities work with; built in processes/.
import type { BaseCheckpointSaver, BaseStore } from '@langchain/langgraph-checkpoint';
import type { GraphRegistry } from '../graph-core/index.js';
import type { LiveBus } from '../events/live-bus.js';
import type { RunAborts } from '../events/run-aborts.js';
import type { Blobs } from '../storage/blobs.js';
import type { CheckpointCache } from '../storage/checkpoint-cache.js';
import type { Runs } from '../storage/runs.js';
import type { Steps } from '../storage/steps.js';
import type { TaskCache } from '../storage/task-cache.js';
import type { Threads } from '../storage/threads.js';
import type { StepPolicy } from '../workflows/messages.js';

export interface ActivityDependencies {
  readonly graphs: GraphRegistry;
  readonly saver: BaseCheckpointSaver;
  /** What nodes have as `config.store`, where their graph brings no store of its own. */
  readonly store?: BaseStore;
  /** Results of nodes with a cache policy, where their graph brings no cache of its own. */
  readonly taskCache?: TaskCache;
  readonly cache: CheckpointCache;
  readonly runs: Runs;
  readonly threads: Threads;
  readonly steps: Steps;
  readonly blobs: Blobs;
  /** Absent: readers poll the log. */
  readonly bus?: LiveBus;
  /** Where server and worker share a process. */
  readonly aborts?: RunAborts;
  /** Aborted when the worker is told to stop, some seconds before what still runs is cancelled. */
  readonly stopping?: AbortSignal;
  readonly settings: ActivitySettings;
}

export interface ActivitySettings {
  /** Attempts of a superstep that may be lost with their workers before the run fails. */
  readonly stepAttempts: number;
  /** Of all channels of a thread's state together, about as many as they take in JSON. */
  readonly maxStateBytes: number;
  /** A run that nobody has touched for so long is looked at by the sweep. */
  readonly sweepAfterMs: number;
  /** For executions that the sweep starts. */
  readonly policy: StepPolicy;
}
