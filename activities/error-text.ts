// What is told of a thrown value. Nodes may throw anything, of any size; a failure that exceeds gRPC's 4 MB never
// reaches Temporal, and its attempt then counts as lost.

/** Enough for a message and the head of the document that some libraries put into it; a failure holds it about four times. */
export const MAX_ERROR_CHARACTERS = 4_000;

export const errorName = (error: unknown): string =>
  error instanceof Error && error.name !== '' ? bounded(String(error.name)) : 'Error';

/** An error's message; of anything else that was thrown its text, or its JSON. At most about {@link MAX_ERROR_CHARACTERS}. */
export function errorMessage(error: unknown): string {
  if (typeof error !== 'object' || error === null) return bounded(String(error));
  const { message } = error as { readonly message?: unknown };
  return bounded(typeof message === 'string' ? message : jsonOf(error));
}

/** For a failure's `cause`: name, message and stack, bounded. What caused the cause is left out. */
export function errorCopy(error: unknown): Error | undefined {
  if (!(error instanceof Error)) return undefined;
  const copy = new Error(errorMessage(error));
  copy.name = errorName(error);
  copy.stack = bounded(String(error.stack ?? ''));
  return copy;
}

function jsonOf(thrown: object): string {
  try {
    return JSON.stringify(thrown) ?? Object.prototype.toString.call(thrown);
  } catch {
    // A circle, or a BigInt.
    return Object.prototype.toString.call(thrown);
  }
}

function bounded(text: string): string {
  if (text.length <= MAX_ERROR_CHARACTERS) return text;
  // Not in the middle of a surrogate pair: Postgres refuses half of one in JSON.
  const head = text.slice(0, MAX_ERROR_CHARACTERS).replace(/[\uD800-\uDBFF]$/, '');
  return `${head}… (${text.length} characters)`;
}
