// What is kept and told of a thrown value. Nodes may throw anything, of any size.

/** Longer messages are cut: a note is read with every look at the thread's state. Characters. */
const MAX_NOTE_CHARACTERS = 10_000;

/** The `__error__` write of a failed task, seen as `tasks[].error`. */
export interface ErrorNote {
  readonly message: string;
  /** Absent where something without a name was thrown. */
  readonly name?: string;
}

/** Never throws, whatever was thrown. */
export function errorNote(error: unknown): ErrorNote {
  const name = textOf(error, 'name');
  return { message: bounded(textOf(error, 'message') ?? described(error)), name: name && bounded(name) };
}

/** For a line of a log: `TypeError: x is not a function`. */
export function errorLine(error: unknown): string {
  const { message, name } = errorNote(error);
  return name === undefined ? message : `${name}: ${message}`;
}

/** A field of a thrown object, if it is a text and can be read. */
function textOf(error: unknown, key: 'message' | 'name'): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  try {
    const field = (error as Record<string, unknown>)[key];
    return typeof field === 'string' ? field : undefined;
  } catch {
    return undefined;
  }
}

function described(error: unknown): string {
  if (typeof error !== 'object' || error === null) return String(error);
  try {
    return JSON.stringify(error) ?? Object.prototype.toString.call(error);
  } catch {
    // A circle, a BigInt, or a getter that throws.
    return Object.prototype.toString.call(error);
  }
}

function bounded(text: string): string {
  if (text.length <= MAX_NOTE_CHARACTERS) return text;
  // Not in the middle of a surrogate pair: Postgres refuses half of one in JSON.
  const head = text.slice(0, MAX_NOTE_CHARACTERS).replace(/[\uD800-\uDBFF]$/, '');
  return `${head}… (${text.length} characters)`;
}
