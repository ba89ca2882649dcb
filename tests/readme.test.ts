// What the README says is there. Its commands are run as written by the service tests; here only their form is checked.
import { describe, expect, it } from '@jest/globals';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { transformSync } from '@swc/core';
import { commandBlocks, codeBlocks, linksOf } from './support/markdown.js';

const read = (page: string): string => readFileSync(page, 'utf8');
const readme = read('README.md');
const pages = [
  'README.md',
  'ARCHITECTURE.md',
  'CHANGELOG.md',
  'temporal-docker/README.md',
  ...readdirSync('docs', { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md'))
    .map((path) => join('docs', path)),
];

describe('the README', () => {
  it('has the commands of the first two minutes, in order and by name', () => {
    expect(commandBlocks(readme).map(({ name }) => name)).toEqual(['start', 'run', 'state', 'approve', 'replay']);
  });

  it('starts with npm start, which serves the examples where nothing else is named', () => {
    const [start] = commandBlocks(readme);
    expect(start?.text).toBe('npm start');
    expect(JSON.parse(read('package.json'))).toHaveProperty('scripts.start', 'node scripts/start.mjs');
    expect(read('scripts/start.mjs')).toContain("join(root, 'examples', 'langgraph.json')");
  });

  it('shows the graphs that start prints', () => {
    const { graphs } = JSON.parse(read('examples/langgraph.json')) as { graphs: Record<string, string> };
    expect(readme).toContain(`  Graphs       ${Object.keys(graphs).join(', ')}
`);
  });

  it('uses graphs that the examples have', () => {
    const { graphs } = JSON.parse(read('examples/langgraph.json')) as { graphs: Record<string, string> };
    const used = [...readme.matchAll(/"assistant_id": "(\w+)"|superstep run (\w+)|runs\.stream\(thread_id, '(\w+)'/g)];
    expect(used).toHaveLength(3);
    for (const [, ...names] of used) expect(Object.keys(graphs)).toContain(names.find(Boolean));
  });
});

describe.each(pages)('%s', (page) => {
  it('has no link that leads nowhere', () => {
    const broken = linksOf(read(page)).filter((link) => !existsSync(join(dirname(page), link)));
    expect(broken).toEqual([]);
  });

  it('shows JSON and TypeScript that parse', () => {
    for (const { language, text } of codeBlocks(read(page))) {
      if (language === 'json') expect(() => JSON.parse(text) as unknown).not.toThrow();
      if (language === 'ts')
        expect(() => transformSync(text, { jsc: { parser: { syntax: 'typescript' } } })).not.toThrow();
    }
  });
});

describe('docs/README.md', () => {
  it('links every page', () => {
    const index = linksOf(read('docs/README.md')).map((link) => join('docs', link));
    const decisions = linksOf(read('docs/decisions/README.md')).map((link) => join('docs/decisions', link));
    const linked = new Set(['docs/README.md', ...index, ...decisions]);
    expect(pages.filter((page) => page.startsWith('docs') && !linked.has(page))).toEqual([]);
  });
});
