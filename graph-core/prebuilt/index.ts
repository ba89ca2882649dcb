export { withAgentName, type AgentNameMode } from './agent-name.js';
export type { MessageModifier, Prompt, StateModifier } from './agent-prompt.js';
export type { ActionRequest, HumanInterrupt, HumanInterruptConfig, HumanResponse } from './human-interrupt.js';
export { createReactAgent, createReactAgentAnnotation } from './react-agent.js';
export type { AgentState, CreateReactAgentParams } from './react-agent-params.js';
export { ToolNode, toolsCondition, type ToolNodeOptions, type ToolRuntime } from './tool-node.js';
