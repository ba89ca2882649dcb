export { SuperstepClient } from './superstep-client.js';
export { DEFAULT_API_URL, type ClientOptions } from './transport.js';
export { DEFAULT_RECONNECT, type ReconnectPolicy } from './backoff.js';
export {
  ConnectionError,
  HttpError,
  ProtocolError,
  RunFailedError,
  StreamLostError,
  SuperstepClientError,
} from './errors.js';
export { FROM_THE_BEGINNING } from './event-cursor.js';
export type { FollowOptions, Reconnecting, StreamEvent } from './event-stream.js';
export type { RunCommand, RunRequest, StreamMode } from './run-request.js';
export type { RunLocation } from './run-location.js';
export type { JoinStreamOptions, RunStreamOptions, WaitOptions } from './runs.js';
export type { HistoryQuery, StateUpdate, ThreadSearch } from './threads.js';
export type { AssistantSearch } from './assistants.js';
export type { ProcessEventsOptions } from './processes.js';
export { applyEvent, viewOf, type CurrentNode, type ProgressView } from './progress.js';
export { PROCESS_EVENT_TYPES } from './process-records.js';
export type { ProcessEvent, ProcessEventType, ProcessSnapshot, ProcessStatus } from './process-records.js';
export type {
  Assistant,
  Checkpoint,
  Metadata,
  Run,
  RunStatus,
  Thread,
  ThreadState,
  ThreadStatus,
  ThreadTask,
  WireInterrupt,
} from './wire.js';
