/** The command line, or something it names, is wrong. Shown without a stack; nothing was done. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** @throws UsageError that shows how JSON is quoted in a shell. */
export function parseJsonOption(option: string, text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    const hint = `JSON text has its own quotes: ${option} '"yes"', ${option} '{"key": 1}'.`;
    throw new UsageError(`${option}: ${(error as Error).message}. ${hint}`);
  }
}
