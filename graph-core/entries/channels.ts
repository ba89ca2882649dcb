// What `import … from '@langchain/langgraph/channels'` gives a project that runs here.
export {
  AnyValue,
  BaseChannel,
  BinaryOperatorAggregate,
  DeltaChannel,
  DynamicBarrierValue,
  EphemeralValue,
  isDeltaChannel,
  LastValue,
  LastValueAfterFinish,
  NamedBarrierValue,
  NamedBarrierValueAfterFinish,
  Topic,
  UntrackedValueChannel,
  type DeltaReducer,
  type WaitForNames,
} from '../channels/index.js';
export {
  channelsFromCheckpoint,
  createCheckpoint,
  deltaChannelsToSnapshot,
  deltaChannelsWithPendingWrites,
  empty,
  exitDeltaLateTaskId,
  exitDeltaTaskId,
} from '../channels/delta-checkpoints.js';
export type { BinaryOperator } from '../graph/annotation.js';
