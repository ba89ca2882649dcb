/**
 * Something that the person who starts the process can put right: a taken port, a bad setting, an unreachable database.
 * Whoever ends the process prints the message alone, without a stack.
 */
export class OperatorError extends Error {
  override readonly name = 'OperatorError';
}
