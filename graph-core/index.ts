// Superstep's graph library: the authoring API, and the engine's door for whoever drives graphs.
export { Command, CommandInstance, COMMAND_SYMBOL, isCommand, reviveCommand, type CommandParams } from './command.js';
export { END, INTERRUPT, START } from './constants.js';
export {
  BaseLangGraphError,
  EmptyChannelError,
  EmptyInputError,
  failedNodeOf,
  getSubgraphsSeenSet,
  GraphBubbleUp,
  GraphDrained,
  GraphInterrupt,
  GraphRecursionError,
  GraphValueError,
  InvalidUpdateError,
  isGraphBubbleUp,
  isGraphDrained,
  isGraphInterrupt,
  isInvalidResume,
  isNodeError,
  isNodeTimeoutError,
  isParentCommand,
  isUnknownInterruptError,
  markInvalidResume,
  MultipleSubgraphsError,
  NodeError,
  NodeInterrupt,
  NodeTimeoutError,
  ParentCommand,
  RemoteException,
  StateGraphInputError,
  UnknownInterruptError,
  UnreachableNodeError,
  type ErrorCode,
  type Interrupt,
  type NodeTimeoutFields,
} from './errors.js';
export {
  interrupt,
  isInterrupted,
  type InferInterruptInputType,
  type InferInterruptResumeType,
  type InterruptOptions,
} from './interrupt.js';
export { batchedStore } from './batched-store.js';
export { Overwrite, type OverwriteValue } from './overwrite.js';
export {
  GraphCallbackHandler,
  type GraphInterruptEvent,
  type GraphLifecycleEvent,
  type GraphLifecycleStatus,
  type GraphResumeEvent,
} from './graph-callbacks.js';
export { isSend, Send, type SendOptions } from './send.js';
export { writer, type InferWriterType } from './writer.js';
export { STREAM_MODES, type StreamChunk, type StreamMode } from './stream-mode.js';

export {
  Annotation,
  AnnotationRoot,
  type BinaryOperator,
  type NodeType,
  type SingleReducer,
  type StateDefinition,
  type StateType,
  type UpdateType,
} from './graph/annotation.js';
export { entrypoint, getPreviousState, type EntrypointOptions } from './func/entrypoint.js';
export type { EntrypointFinal, EntrypointFunc, EntrypointReturn, TaskFunc } from './func/function-types.js';
export { task, type TaskOptions } from './func/task.js';
export type { CompiledGraphType } from './graph/compiled-graph-types.js';
export { CompiledStateGraph } from './graph/compiled-state-graph.js';
export type {
  ConditionalEdgeRouter,
  ConditionalEdgeRouterTypes,
  GraphNode,
  GraphNodeReturnValue,
  GraphNodeTypes,
} from './graph/graph-node.js';
export type { LangGraphRunnableConfig, Runtime } from './graph/runtime.js';
export type { StreamOutputMap } from './graph/stream-output.js';
export type { AddNodeOptions, NodeAction, NodeErrorHandler, NodeResult, Router } from './graph/node-action.js';
export type { NodePolicyOptions } from './graph/node-policies.js';
export type {
  ContextSchemaInit,
  ExtractStateType,
  ExtractUpdateType,
  StateDefinitionInit,
  StateGraphArgs,
  StateGraphInit,
  StateGraphOptions,
  ToStateDefinition,
} from './graph/state-definition.js';
export { CompiledValueGraph, Graph } from './graph/graph.js';
export { MessageGraph } from './graph/message-graph.js';
export { StateGraph } from './graph/state-graph.js';
export { DeltaValue, type DeltaValueInit } from './state/delta-value.js';
export { MessagesDeltaValue, MessagesValue } from './state/messages-value.js';
export { ReducedValue, type ReducedValueInit } from './state/reduced-value.js';
export {
  getJsonSchemaFromSchema,
  getSchemaDefaultGetter,
  isSerializableSchema,
  isStandardSchema,
  type SerializableSchema,
} from './state/standard-schema.js';
export {
  StateSchema,
  type AnyStateSchema,
  type InferStateSchemaUpdate,
  type InferStateSchemaValue,
  type StateSchemaField,
  type StateSchemaFields,
  type StateSchemaFieldsToStateDefinition,
  type StateSchemaFieldToChannel,
} from './state/state-schema.js';
export { UntrackedValue, type UntrackedValueInit } from './state/untracked-value.js';
export { messagesDeltaReducer } from './messages/messages-delta-reducer.js';
export { MessagesAnnotation, MessagesZodMeta, MessagesZodState } from './messages/messages-annotation.js';
export {
  messagesStateReducer as addMessages,
  messagesStateReducer,
  REMOVE_ALL_MESSAGES,
  type Messages,
} from './messages/messages-reducer.js';
export { pushMessage, type PushMessageOptions } from './messages/push-message.js';
export { StreamedMessage } from './messages/streamed-message.js';
export {
  AsyncBatchedStore,
  BaseCache,
  BaseCheckpointSaver,
  BaseStore,
  copyCheckpoint,
  emptyCheckpoint,
  InMemoryCache,
  InMemoryStore,
  MemorySaver,
} from '@langchain/langgraph-checkpoint';
export * from './prebuilt/index.js';

export {
  AnyValue,
  BaseChannel,
  BinaryOperatorAggregate,
  DeltaChannel,
  DynamicBarrierValue,
  EphemeralValue,
  isChannel,
  LastValue,
  LastValueAfterFinish,
  NamedBarrierValue,
  NamedBarrierValueAfterFinish,
  Topic,
  UntrackedValueChannel,
  type DeltaReducer,
  type WaitForNames,
  type Channel,
  type TopicOptions,
} from './channels/index.js';

export { getConfig, getCurrentTaskInput, getStore, getWriter } from './engine/ambient-access.js';
export { beginRun, type BeginPorts } from './engine/begin-run.js';
export { callConfig, type CallOptions } from './engine/call-options.js';
export { checkContext, checkInput } from './engine/check-input.js';
export { CompiledGraph, type CompileOptions } from './engine/compiled-graph.js';
export type { GetStateOptions } from './engine/thread-state.js';
export type { Breakpoints } from './engine/executable-graph.js';
export { isForeignGraph } from './engine/foreign-graph.js';
export type { CachePolicy } from './engine/cache-policy.js';
export { RunControl } from './engine/run-control.js';
export type { TimeoutPolicy } from './timeout-policy.js';
export type { GraphSpec, NodeSpec, NodeWriter, WriterContext } from './engine/graph-spec.js';
export { isResumeMap } from './engine/interrupt-id.js';
export type { ExecutionInfo, NodeConfig, ServerInfo } from './engine/node-config.js';
export { isNodeRetryRequest, isRetryable, NodeRetryRequest, retryDelayMs, type RetryPolicy } from './engine/retry.js';
export { deltaValues, withDeltas } from './engine/delta-channels.js';
export { continueFrom, DEFAULT_RECURSION_LIMIT, loadState, savedOf } from './engine/saved-state.js';
export type { StateSnapshot, TaskSnapshot } from './engine/snapshot.js';
export { readValues, stateSnapshot } from './engine/state-snapshot.js';
export { runSuperstep } from './engine/superstep.js';
export { untrackedValues, withUntrackedValues } from './engine/untracked-values.js';
export type * from './engine/superstep-contract.js';
export type { Durability } from './engine/task-context.js';
export type { StateUpdate } from './engine/update-state.js';
export type { GraphRegistry } from './graph-registry.js';

export type { StreamEventsV3Options } from './engine/event-streams.js';
export { ChatModelStream as ChatModelStreamImpl } from '@langchain/core/language_models/stream';
export {
  createGraphRunStream,
  type CreateGraphRunStreamOptions,
  type RunChunk,
} from './stream/create-graph-run-stream.js';
export { GraphRunStream, SubgraphRunStream } from './stream/graph-run-stream.js';
export {
  createLifecycleTransformer,
  filterLifecycleEntries,
  type LifecycleEntry,
  type LifecycleProjection,
  type LifecycleTransformerOptions,
} from './stream/lifecycle-transformer.js';
export { createMessagesTransformer, type MessagesTransformerProjection } from './stream/messages-transformer.js';
export type { Namespace } from './stream/namespace.js';
export {
  convertToProtocolEvent,
  isCheckpointEnvelope,
  STREAM_EVENTS_V3_MODES,
  type ConvertToProtocolEventOptions,
} from './stream/protocol-events.js';
export * from './stream/protocol.js';
export { StreamChannel, StreamChannel as EventLog, isStreamChannel } from './stream/stream-channel.js';
export {
  createSubgraphDiscoveryTransformer,
  filterSubgraphHandles,
  type SubgraphDiscoveryProjection,
  type SubgraphDiscoveryTransformerOptions,
} from './stream/subgraph-discovery.js';
export { createValuesTransformer, type ValuesTransformerProjection } from './stream/values-transformer.js';
