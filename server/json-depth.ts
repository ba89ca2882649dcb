// How deep a JSON value is nested, found without recursion: what a client nests deeply must not overflow a stack here.

/** Whether objects and arrays are nested in each other more than `levels` deep; `[]` is one level, `7` none. */
export function isDeeperThan(value: unknown, levels: number): boolean {
  let level = containers([value]);
  for (let depth = 1; level.length > 0; depth += 1) {
    if (depth > levels) return true;
    level = level.flatMap((container) => containers(Object.values(container)));
  }
  return false;
}

const containers = (values: readonly unknown[]): readonly object[] =>
  values.filter((value): value is object => typeof value === 'object' && value !== null);
