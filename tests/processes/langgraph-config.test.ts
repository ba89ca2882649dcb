import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { readLanggraphConfig } from '../../processes/langgraph-config.js';

const folder = mkdtempSync(join(tmpdir(), 'superstep-config-'));
const file = join(folder, 'langgraph.json');

afterAll(() => rmSync(folder, { recursive: true }));

function read(content: unknown) {
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return readLanggraphConfig(file);
}

const graphs = { agent: './src/agent.ts:graph' };

test('paths are relative to the folder of the config, and descriptions are kept', () => {
  const config = read({
    graphs: { ...graphs, b: { path: '../b.js:make', description: 'the other' } },
    node_version: '20',
  });
  expect(config.graphs).toEqual([
    { name: 'agent', file: join(folder, 'src/agent.ts'), exportName: 'graph' },
    { name: 'b', file: join(folder, '../b.js'), exportName: 'make', description: 'the other' },
  ]);
});

test('a path alone stands for the default export', () => {
  expect(read({ graphs: { agent: './src/agent.ts' } }).graphs).toEqual([
    { name: 'agent', file: join(folder, 'src/agent.ts'), exportName: 'default' },
  ]);
});

describe('env', () => {
  test('may be a dotenv file', () => {
    writeFileSync(join(folder, '.env'), 'MODEL="large one"\n# KEY=no\n');
    expect(read({ graphs, env: '.env' }).env).toEqual({ MODEL: 'large one' });
  });

  test('may be the variables themselves', () => {
    expect(read({ graphs, env: { MODEL: 'small', RETRIES: 3 } }).env).toEqual({ MODEL: 'small', RETRIES: '3' });
  });

  test('may be a list of names that must be set', () => {
    expect(() => read({ graphs, env: ['PATH', 'SUPERSTEP_NEVER_SET'] })).toThrow(/are not set: SUPERSTEP_NEVER_SET$/);
  });
});

test.each([
  ['that is not JSON', '{', /cannot be read: .*JSON/],
  ['without graphs', {}, /graphs: /],
  ['with no graph in it', { graphs: {} }, /graphs: names no graph/],
  ['with no name after the colon', { graphs: { a: './a.ts:' } }, /graphs\.a: expected "\.\/path\.ts:export"/],
  ['with what cannot be a name', { graphs: { a: './a.ts:1st' } }, /graphs\.a: expected "\.\/path\.ts:export"/],
  ['whose env file is missing', { graphs, env: 'missing.env' }, /The env file .*missing\.env/],
])('a config %s is refused, naming the field', (_what, content, message) => {
  expect(() => read(content)).toThrow(message);
});

test('a config that is not there is refused with how to name one', () => {
  expect(() => readLanggraphConfig(join(folder, 'none.json'))).toThrow(/There is no .*none\.json.*--config/);
});
