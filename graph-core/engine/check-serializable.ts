import { InvalidUpdateError } from '../errors.js';
import type { Write } from './apply-writes.js';
import type { GraphSpec } from './graph-spec.js';
import { untracked } from './stored-writes.js';

/**
 * Savers store a checkpoint as one text: a single value that makes the serializer fail would lose the whole of it.
 * @throws InvalidUpdateError naming node and channel. Cycles pass: savers cut them.
 */
export function checkSerializable(node: string, channel: string, value: unknown): void {
  try {
    JSON.stringify(value);
  } catch (error) {
    const { message } = error as Error;
    if (message.startsWith('Converting circular structure')) return;
    throw new InvalidUpdateError(
      `Node "${node}" wrote to "${channel}" what a checkpointer cannot store: ${message}. ` +
        'Write a string, a number or a plain object instead.',
      { cause: error },
    );
  }
}

/** As {@link checkSerializable}, of all that `node` wrote. Untracked values are never stored. */
export function checkWrites(spec: GraphSpec, node: string, writes: readonly Write[]): void {
  const passing = untracked(spec);
  for (const [channel, value] of writes) if (!passing.has(channel)) checkSerializable(node, channel, value);
}
