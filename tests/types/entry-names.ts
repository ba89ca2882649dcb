// Types that projects import from LangGraph's main entry by these names; a missing one does not compile.
import type * as main from '../../graph-core/entries/main.js';
import type { RemoteGraph, RemoteGraphParams } from '../../graph-core/entries/remote.js';
import type {
  AgentExecutorState,
  FunctionCallingExecutorState,
  ToolExecutor,
} from '../../graph-core/entries/prebuilt.js';

export type Savers = [main.Checkpoint, main.CheckpointMetadata, main.CheckpointTuple, main.Item, main.Operation];
export type Stores = [main.GetOperation, main.PutOperation, main.SearchOperation, main.ListNamespacesOperation];
export type Channels = [main.LastValue<string>, main.Topic<string>, main.EphemeralValue<string>, main.AnyValue<string>];
export type Events = [main.ProtocolEvent, main.InterruptPayload, main.LifecycleEntry, main.ToolsEventData];
export type Callbacks = [main.GraphInterruptEvent, main.GraphResumeEvent, main.GraphLifecycleStatus];
export type HandBuilt = [main.Pregel, main.PregelParams, main.PregelNode, main.PregelOptions];
export type Nodes = [main.StateGraphAddNodeOptions, main.StateGraphNodeSpec, main.BaseLangGraphErrorFields];
export type Old = [main.Graph, ToolExecutor, AgentExecutorState, FunctionCallingExecutorState];
export type Remote = [RemoteGraph, RemoteGraphParams];
