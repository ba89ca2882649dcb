// `@langchain/langgraph/pregel`
export { Channel, type SubscribeOptions } from '../pregel/channel.js';
export { Pregel, type PregelParams } from '../pregel/pregel.js';
