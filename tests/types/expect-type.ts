// Compile-time assertions; `npm run types` checks them, nothing runs.
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

/** Compiles only if both are the very same type. */
export function expectType<Expected>() {
  return <Actual>(_actual: Actual, ..._same: Same<Actual, Expected> extends true ? [] : [never]): void => undefined;
}
