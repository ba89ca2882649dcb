// The two libraries under comparison, by one type: LangGraph's own, cut down to what graph-core has.
import * as langgraph from '@langchain/langgraph';
import * as prebuilt from '@langchain/langgraph/prebuilt';
import * as pregel from '@langchain/langgraph/pregel';
import * as zod from '@langchain/langgraph/zod';
import * as zodSchema from '@langchain/langgraph/zod/schema';
import * as ourPregel from '../../graph-core/entries/pregel.js';
import * as graphCore from '../../graph-core/index.js';
import * as ourZod from '../../graph-core/zod/index.js';
import * as ourZodSchema from '../../graph-core/zod/schema.js';

type Names =
  | 'Graph'
  | 'GraphInterrupt'
  | 'GraphRecursionError'
  | 'GraphValueError'
  | 'InvalidUpdateError'
  | 'EmptyInputError'
  | 'EmptyChannelError'
  | 'MultipleSubgraphsError'
  | 'UnreachableNodeError'
  | 'RemoteException'
  | 'StateGraphInputError'
  | 'UnknownInterruptError'
  | 'isUnknownInterruptError'
  | 'getSubgraphsSeenSet'
  | 'isNodeTimeoutError'
  | 'NodeTimeoutError'
  | 'isNodeError'
  | 'NodeError'
  | 'isGraphDrained'
  | 'GraphDrained'
  | 'RunControl'
  | 'StateGraph'
  | 'ParentCommand'
  | 'entrypoint'
  | 'task'
  | 'getPreviousState'
  | 'getCurrentTaskInput'
  | 'getConfig'
  | 'getStore'
  | 'getWriter'
  | 'InMemoryStore'
  | 'Annotation'
  | 'START'
  | 'END'
  | 'Send'
  | 'Command'
  | 'isCommand'
  | 'isInterrupted'
  | 'Overwrite'
  | 'interrupt'
  | 'NodeInterrupt'
  | 'MessageGraph'
  | 'GraphCallbackHandler'
  | 'MessagesAnnotation'
  | 'messagesStateReducer'
  | 'addMessages'
  | 'REMOVE_ALL_MESSAGES'
  | 'isGraphInterrupt'
  | 'isGraphBubbleUp'
  | 'isParentCommand'
  | 'StateSchema'
  | 'ReducedValue'
  | 'UntrackedValue'
  | 'DeltaValue'
  | 'MessagesValue'
  | 'MessagesDeltaValue'
  | 'MessagesZodMeta'
  | 'MessagesZodState'
  | 'messagesDeltaReducer'
  | 'isStandardSchema'
  | 'isSerializableSchema'
  | 'getJsonSchemaFromSchema'
  | 'getSchemaDefaultGetter'
  | 'pushMessage'
  | 'StreamChannel'
  | 'EventLog'
  | 'isNativeTransformer'
  | 'createMessagesTransformer'
  | 'createValuesTransformer'
  | 'filterSubgraphHandles'
  | 'filterLifecycleEntries'
  | 'createSubgraphDiscoveryTransformer'
  | 'createLifecycleTransformer'
  | 'isCheckpointEnvelope'
  | 'convertToProtocolEvent'
  | 'STREAM_EVENTS_V3_MODES'
  | 'createGraphRunStream'
  | 'SubgraphRunStream'
  | 'GraphRunStream'
  | 'ChatModelStreamImpl';

/** A namespace that a program is written against. */
export type Library = Pick<typeof langgraph, Names> & typeof prebuilt & typeof pregel & typeof zod & typeof zodSchema;

export const reference: Library = { ...langgraph, ...prebuilt, ...pregel, ...zod, ...zodSchema };

// The types are compared in tests/types; here only behaviour counts.
export const ours = { ...graphCore, ...ourPregel, ...ourZod, ...ourZodSchema } as unknown as Library;
