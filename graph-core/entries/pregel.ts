// `@langchain/langgraph/pregel`
export { Channel, type SubscribeOptions } from '../pregel/channel.js';
export { Pregel, type PregelParams } from '../pregel/pregel.js';
export type { CallOptions as PregelOptions } from '../engine/call-options.js';
