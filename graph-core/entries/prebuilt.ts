// `@langchain/langgraph/prebuilt`
export { ToolNode, toolsCondition } from '../index.js';
