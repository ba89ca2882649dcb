import { EmptyInputError } from '../errors.js';
import type { Write } from './apply-writes.js';
import type { GraphSpec } from './graph-spec.js';

/**
 * A graph's input as writes to its input channels.
 * @throws Error for an input that is no record, where there are several; EmptyInputError for one that names none.
 */
export function inputWrites({ inputChannel }: GraphSpec, input: unknown): Write[] {
  if (typeof inputChannel === 'string') return [[inputChannel, input]];
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    throw new Error('Input chunk must be an object when "inputChannels" is an array');
  }
  const writes = Object.entries(input).filter(([channel]) => inputChannel.includes(channel));
  if (writes.length > 0) return writes;
  throw new EmptyInputError(`Received no input writes for ${JSON.stringify(inputChannel, null, 2)}`);
}
