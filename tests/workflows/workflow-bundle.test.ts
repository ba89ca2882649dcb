import { describe, expect, jest, test } from '@jest/globals';
import { workflowBundle } from '../support/thread-worker.js';

// Real Temporal, on a machine that may be busy.
jest.setTimeout(60_000);

/** Files in the bundle, by its inline source map. */
function sourcesOf(code: string): readonly string[] {
  const [, encoded = ''] = /sourceMappingURL=data:application\/json;[^,]*base64,([A-Za-z0-9+/=]+)/.exec(code) ?? [];
  const { sources } = JSON.parse(Buffer.from(encoded, 'base64').toString()) as { readonly sources: readonly string[] };
  return sources;
}

describe('the workflow bundle', () => {
  test('is made with nothing ignored, and of ours holds the files of workflows/ alone', async () => {
    // The bundler refuses code that pulls in a module of Node.
    const sources = sourcesOf(await workflowBundle());
    const ours = sources.filter((path) => /\.ts$/.test(path) && !path.includes('node_modules'));
    expect(ours.some((path) => path.endsWith('workflows/thread.ts'))).toBe(true);
    expect(ours.filter((path) => !/workflows\/[a-z-]+\.ts$/.test(path))).toEqual([]);
  }, 60_000);
});
