import { InvalidUpdateError } from '../errors.js';

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
