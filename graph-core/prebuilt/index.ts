export { createAgentExecutor, type AgentExecutorState } from './agent-executor.js';
export { withAgentName, type AgentNameMode } from './agent-name.js';
export type { MessageModifier, Prompt, StateModifier } from './agent-prompt.js';
export { createFunctionCallingExecutor, type FunctionCallingExecutorState } from './function-calling-executor.js';
export type { ActionRequest, HumanInterrupt, HumanInterruptConfig, HumanResponse } from './human-interrupt.js';
export { createReactAgent, createReactAgentAnnotation } from './react-agent.js';
export type { AgentState, CreateReactAgentParams } from './react-agent-params.js';
export { ToolNode, toolsCondition, type ToolNodeOptions, type ToolRuntime } from './tool-node.js';
export { ToolExecutor, type ToolExecutorArgs, type ToolInvocationInterface } from './tool-executor.js';
