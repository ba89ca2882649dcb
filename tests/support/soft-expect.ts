// LangGraph's validation of savers is written for vitest, whose globals are jest's but for `expect.soft`: an assertion
// after whose failure the test goes on. Here it ends the test, so nothing passes that would fail there.
const { expect } = globalThis as unknown as { expect: ((value: unknown) => unknown) & { soft?: unknown } };
expect.soft = expect;
