import type { Channel } from '../channels/channel.js';
import type { StateDefinition } from './annotation.js';

/**
 * Adds the channels of a schema to those that the graph has.
 * @throws Error if a key has another channel already. A key that keeps its last value defers to any.
 */
export function shareChannels(channels: Record<string, Channel>, definition: StateDefinition): void {
  for (const [key, entry] of Object.entries(definition)) {
    const channel = typeof entry === 'function' ? entry() : entry;
    const existing = channels[key];
    if (existing === undefined) channels[key] = channel;
    else if (!existing.equals(channel) && channel.lc_graph_name !== 'LastValue') {
      throw new Error(`Channel "${key}" already exists with a different type.`);
    }
  }
}
