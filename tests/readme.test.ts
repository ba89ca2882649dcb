// What the README says is there. Its commands are run as written by the service tests; here only their form is checked.
import { describe, expect, it } from '@jest/globals';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { transformSync } from '@swc/core';
import { commandBlocks, codeBlocks, linksOf } from './support/markdown.js';

const read = (page: string): string => readFileSync(page, 'utf8');
const readme = read('README.md');
const pages = [
  'README.md',
  'CHANGELOG.md',
  'docs/guides/first-run.md',
  'docs/guides/approvals.md',
  'docs/guides/your-own-graph.md',
];

describe('the README', () => {
  it('has the commands of the first two minutes, in order and by name', () => {
    expect(commandBlocks(readme).map(({ name }) => name)).toEqual(['start', 'run', 'state', 'approve', 'replay']);
  });

  it('starts with a command that npm knows and a configuration that exists', () => {
    const [start] = commandBlocks(readme);
    const [, config = ''] = /^npm start -- --config (\S+)$/.exec(start?.text ?? '') ?? [];
    expect(existsSync(config)).toBe(true);
    expect(JSON.parse(read('package.json'))).toHaveProperty('scripts.start');
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
