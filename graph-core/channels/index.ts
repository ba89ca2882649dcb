export { BaseChannel, isChannel, type Channel } from './channel.js';
export { AnyValue } from './any-value.js';
export { NamedBarrierValue } from './barrier.js';
export { EphemeralValue } from './ephemeral.js';
export { LastValue } from './last-value.js';
export { BinaryOperatorAggregate } from './reducer.js';
export { Topic, type TopicOptions } from './topic.js';
