// A project that imports LangGraph's names finds each of them here, and no others: what is missing would fail its import,
// and what is more would be taken for LangGraph's.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';

/** Subpaths of the package, with the names that are left out (docs/reference/differences.md says why). */
const entries: Readonly<Record<string, readonly string[]>> = {
  '.': ['Graph'],
  './web': ['Graph'],
  './prebuilt': ['ToolExecutor', 'createAgentExecutor', 'createFunctionCallingExecutor'],
  './channels': [],
  './pregel': [],
  './stream': [],
  './zod': [],
  './zod/schema': [],
};
/** Subpaths that are left out as a whole. */
const leftOut = ['./remote'];

const fileOf = (entry: string): string => (entry === '.' ? 'main' : entry.slice('./'.length));

describe.each(Object.entries(entries))('%s', (entry, missing) => {
  test('exports the names of LangGraph', async () => {
    const theirs = (await import(`@langchain/langgraph${entry.slice(1)}`)) as object;
    const ours = (await import(`../../graph-core/entries/${fileOf(entry)}.js`)) as object;
    expect(Object.keys(ours).sort()).toEqual(
      Object.keys(theirs)
        .filter((name) => !missing.includes(name))
        .sort(),
    );
  });
});

test('every subpath of LangGraph is here, or said to be left out', () => {
  const { exports } = JSON.parse(readFileSync('node_modules/@langchain/langgraph/package.json', 'utf8')) as {
    exports: object;
  };
  const subpaths = Object.keys(exports).filter((name) => name !== './package.json');
  expect([...Object.keys(entries), ...leftOut].sort()).toEqual(subpaths.sort());
});

test('the package offers the same subpaths by its own name', () => {
  const { exports } = JSON.parse(readFileSync('package.json', 'utf8')) as {
    exports: Record<string, string | { readonly default: string }>;
  };
  for (const entry of Object.keys(entries).filter((name) => name !== '.')) {
    expect(exports[entry]).toMatchObject({ default: `./dist/graph-core/entries/${fileOf(entry)}.js` });
  }
});
