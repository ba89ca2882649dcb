// `@langchain/langgraph/prebuilt`
export {
  createReactAgent,
  createReactAgentAnnotation,
  ToolNode,
  toolsCondition,
  withAgentName,
  type ActionRequest,
  type AgentNameMode,
  type AgentState,
  type CreateReactAgentParams,
  type HumanInterrupt,
  type HumanInterruptConfig,
  type HumanResponse,
  type ToolNodeOptions,
} from '../prebuilt/index.js';
