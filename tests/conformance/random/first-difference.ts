// Where two recordings part: reading a whole diff of two long runs takes longer than mending what it shows.

/** How much of each side is shown, characters. */
const SHOWN = 1500;

/** A path to the first place where the values differ, and what stands there; undefined if they are alike. */
export function firstDifference(expected: unknown, received: unknown, path = ''): string | undefined {
  if (Object.is(expected, received)) return undefined;
  const bothLists = Array.isArray(expected) && Array.isArray(received);
  const bothRecords = isRecord(expected) && isRecord(received);
  if (!bothLists && !bothRecords) return difference(path, expected, received);
  const keys = new Set([...Object.keys(expected), ...Object.keys(received)]);
  for (const key of keys) {
    const [theirs, own] = [(expected as Record<string, unknown>)[key], (received as Record<string, unknown>)[key]];
    const within = bothLists ? `${path}[${key}]` : `${path}.${key}`;
    const found = firstDifference(theirs, own, within);
    if (found !== undefined) return found;
  }
  return undefined;
}

const isRecord = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const difference = (path: string, expected: unknown, received: unknown): string =>
  `at ${path}\nLangGraph:  ${shown(expected)}\ngraph-core: ${shown(received)}`;

const shown = (value: unknown): string => (JSON.stringify(value) ?? 'undefined').slice(0, SHOWN);
