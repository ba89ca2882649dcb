// A project that imports LangGraph's names finds each of them here, and no others: what is missing would fail its import,
// and what is more would be taken for LangGraph's.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';

/** Subpaths of the package. */
const entries = [
  '.',
  './web',
  './prebuilt',
  './channels',
  './pregel',
  './remote',
  './stream',
  './zod',
  './zod/schema',
] as const;

const fileOf = (entry: string): string => (entry === '.' ? 'main' : entry.slice('./'.length));

describe.each(entries)('%s', (entry) => {
  test('exports the names of LangGraph', async () => {
    const theirs = (await import(`@langchain/langgraph${entry.slice(1)}`)) as object;
    const ours = (await import(`../../graph-core/entries/${fileOf(entry)}.js`)) as object;
    expect(Object.keys(ours).sort()).toEqual(Object.keys(theirs).sort());
    // The first loads both libraries.
  }, 60_000);
});

test('every subpath of LangGraph is here', () => {
  const { exports } = JSON.parse(readFileSync('node_modules/@langchain/langgraph/package.json', 'utf8')) as {
    exports: object;
  };
  const subpaths = Object.keys(exports).filter((name) => name !== './package.json');
  expect([...entries].sort()).toEqual(subpaths.sort());
});

test('the package offers the same subpaths by its own name', () => {
  const { exports } = JSON.parse(readFileSync('package.json', 'utf8')) as {
    exports: Record<string, string | { readonly default: string }>;
  };
  for (const entry of entries.filter((name) => name !== '.')) {
    expect(exports[entry]).toMatchObject({ default: `./dist/graph-core/entries/${fileOf(entry)}.js` });
  }
});
