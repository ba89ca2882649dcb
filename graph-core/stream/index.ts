// What `@langchain/langgraph/stream` gives: the parts of run streams that a client shares with the engine.
export {
  normalizeNamespaceSegment,
  inferChannel,
  isPrefixMatch,
  isSupportedChannel,
  matchesSubscription,
  SUPPORTED_CHANNELS,
  type MatchableEvent,
  type Subscription,
  type SubscriptionChannel,
} from './subscription.js';
export type { Namespace } from './namespace.js';
export {
  convertToProtocolEvent,
  isCheckpointEnvelope,
  STREAM_EVENTS_V3_MODES,
  type ConvertToProtocolEventOptions,
} from './protocol-events.js';
export type { ProtocolEvent, ProtocolMethod } from './protocol.js';
export { isStreamChannel, StreamChannel, StreamChannel as EventLog } from './stream-channel.js';
