import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, test } from '@jest/globals';

const run = promisify(execFile);
const timeoutMs = 60_000;
const folders: string[] = [];

afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true })));

interface Loaded {
  readonly names: string[];
  readonly failures: Record<string, string>;
  readonly results: Record<string, unknown>;
  readonly env: Record<string, string>;
  readonly refused?: string;
}

/** Makes the project outside of this repository and loads its langgraph.json in a process of its own. */
async function load(
  files: Record<string, string | object>,
  input?: object,
  env: Record<string, string> = {},
): Promise<Loaded> {
  const project = mkdtempSync(join(tmpdir(), 'superstep-project-'));
  folders.push(project);
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(project, name)), { recursive: true });
    writeFileSync(join(project, name), typeof content === 'string' ? content : JSON.stringify(content));
  }
  const script = join('tests', 'fixtures', 'processes', 'load-graphs.ts');
  const args = ['--import', 'tsx', script, join(project, 'langgraph.json'), ...(input ? [JSON.stringify(input)] : [])];
  const { stdout } = await run(process.execPath, args, { env: { PATH: process.env['PATH'], ...env } });
  return JSON.parse(stdout) as Loaded;
}

const builder = `
import { Annotation, END, START, StateGraph } from 'superstep';
import * as superstep from 'superstep';
const State = Annotation.Root({ text: Annotation<string> });
export const sameEngine: boolean = superstep.StateGraph === (globalThis as any).superstepOfTheProcess.StateGraph;
if (!sameEngine) throw new Error('the project has an engine of its own');
export const build = (suffix = '') => new StateGraph(State)
  .addNode('echo', ({ text }) => ({ text: text + suffix }))
  .addEdge(START, 'echo')
  .addEdge('echo', END);
`;

const exportsOfEachKind = `
import { build } from './builder.js';
export const graph = build().compile();
export const uncompiled = build();
export const promised = Promise.resolve(build().compile());
export const factory = async (config: { configurable?: { suffix?: string } }) => build(config.configurable?.suffix);
`;

const kinds = {
  graphs: {
    graph: './src/graphs.ts:graph',
    uncompiled: { path: './src/graphs.ts:uncompiled', description: 'a builder' },
    promised: './src/graphs.ts:promised',
    factory: './src/graphs.ts:factory',
  },
};

describe('graphs of a project outside of this repository', () => {
  for (const [project, manifest] of Object.entries<Record<string, object>>({
    'an ES module project': { 'package.json': { type: 'module' } },
    'a project whose package.json names no type': { 'package.json': { name: 'plain' } },
    'a folder without a package.json': {},
  })) {
    test(
      `load as TypeScript and run, whatever is exported: ${project}`,
      async () => {
        const files = {
          ...manifest,
          'langgraph.json': kinds,
          'src/builder.ts': builder,
          'src/graphs.ts': exportsOfEachKind,
        };
        const { names, failures, results } = await load(files, { text: 'hello' });
        expect(failures).toEqual({});
        expect(names).toEqual(['graph', 'uncompiled', 'promised', 'factory']);
        expect(results).toEqual({
          graph: { text: 'hello' },
          uncompiled: { text: 'hello' },
          promised: { text: 'hello' },
          factory: { text: 'hello!' },
        });
      },
      timeoutMs,
    );
  }

  test(
    'one that does not load is named with its cause, and the others are served',
    async () => {
      const graphs = {
        good: './good.ts:graph',
        throws: './throws.ts:graph',
        missing: './missing.ts:graph',
        unexported: './good.ts:agent',
        number: './good.ts:answer',
        broken: './broken.ts:graph',
      };
      const { names, failures } = await load({
        'langgraph.json': { graphs },
        'builder.ts': builder,
        'good.ts': `import { build } from './builder.js'; export const graph = build(); export const answer = 42;`,
        'throws.ts': `throw new Error('no model key'); export const graph = 1;`,
        'broken.ts': 'export const graph = (;',
      });
      expect(names).toEqual(['good']);
      expect(failures).toMatchObject({
        throws: 'no model key',
        missing: expect.stringContaining('missing.ts'),
        unexported: expect.stringMatching(/exports no "agent".*answer.*graph/),
        number: expect.stringContaining('got a value of type number'),
        broken: expect.stringContaining('broken.ts'),
      });
    },
    timeoutMs,
  );

  test(
    'the start fails when none loads',
    async () => {
      const { refused } = await load({
        'langgraph.json': { graphs: { only: './only.ts:graph' } },
        'only.ts': `throw new Error('no key'); export {};`,
      });
      expect(refused).toBe('Graph "only" does not load: no key');
    },
    timeoutMs,
  );
});

describe('the environment of a project', () => {
  const graphs = { 'builder.ts': `${builder}\nexport const graph = build();` };
  const config = (env: unknown) => ({ ...graphs, 'langgraph.json': { graphs: { graph: './builder.ts:graph' }, env } });

  test(
    'comes from a dotenv file, and does not replace what is set',
    async () => {
      const files = { ...config('.env'), '.env': 'MODEL="large one"\nSHELL_WINS=file\n' };
      expect((await load(files, undefined, { SHELL_WINS: 'shell' })).env).toMatchObject({
        MODEL: 'large one',
        SHELL_WINS: 'shell',
      });
    },
    timeoutMs,
  );
});
