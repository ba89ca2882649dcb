import { describe, expect, test } from '@jest/globals';
import { loadProject } from '../support/load-project.js';

const timeoutMs = 60_000;

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
import { entrypoint, task } from 'superstep';
import { build } from './builder.js';
const echo = task('echo', async (text: string) => text);
export const functional = entrypoint('functional', async ({ text }: { text: string }) => ({ text: await echo(text) }));
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
    functional: './src/graphs.ts:functional',
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
        const { names, failures, results } = await loadProject(files, { input: { text: 'hello' } });
        expect(failures).toEqual({});
        expect(names).toEqual(['graph', 'uncompiled', 'promised', 'factory', 'functional']);
        expect(results).toEqual({
          graph: { text: 'hello' },
          uncompiled: { text: 'hello' },
          promised: { text: 'hello' },
          factory: { text: 'hello!' },
          functional: { text: 'hello' },
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
      const { names, failures } = await loadProject({
        'langgraph.json': { graphs },
        'builder.ts': builder,
        'good.ts': `import { build } from './builder.js'; export const graph = build(); export const answer = 42;`,
        'throws.ts': `throw new Error('no model key'); export const graph = 1;`,
        'broken.ts': 'export const graph = (;',
      });
      expect(names).toEqual(['good']);
      expect(failures).toMatchObject({
        throws: 'no model key',
        missing: expect.stringMatching(/^there is no file .*missing\.ts\.$/),
        unexported: expect.stringMatching(/exports no "agent".*answer.*graph/),
        number: expect.stringContaining('got a value of type number'),
        broken: expect.stringContaining('broken.ts'),
      });
    },
    timeoutMs,
  );

  test(
    'a promise that fails is the failure of its graph alone, whichever comes first',
    async () => {
      const graphs = { good: './both.ts:graph', slow: './slow.ts:graph', bad: './both.ts:bad' };
      const { names, failures, results } = await loadProject(
        {
          'langgraph.json': { graphs },
          'builder.ts': builder,
          'both.ts': `
            import { build } from './builder.js';
            export const bad = Promise.reject(new Error('no model'));
            export const unused = Promise.reject(new Error('nobody asks'));
            export const graph = build();`,
          'slow.ts': `
            import { build } from './builder.js';
            await new Promise((resolve) => setTimeout(resolve, 20));
            export const graph = build();`,
        },
        { input: { text: 'hello' } },
      );
      expect(names).toEqual(['good', 'slow']);
      expect(failures).toEqual({ bad: 'no model' });
      expect(results).toMatchObject({ good: { text: 'hello' } });
    },
    timeoutMs,
  );

  for (const [project, manifest] of Object.entries<Record<string, object>>({
    'an ES module project': { 'package.json': { type: 'module' } },
    'a project whose package.json names no type': { 'package.json': { name: 'plain' } },
  })) {
    test(
      `path aliases are those of the nearest tsconfig.json: ${project}`,
      async () => {
        const { failures, results } = await loadProject(
          {
            ...manifest,
            'tsconfig.json': {
              compilerOptions: { paths: { '@lib/*': ['./src/lib/*'], '~build': ['./src/builder.ts'] } },
            },
            'agents/langgraph.json': { graphs: { graph: '../src/graphs.ts:graph' } },
            'src/builder.ts': builder,
            'src/lib/suffix.ts': `export const suffix: string = '?';`,
            'src/graphs.ts': `
              import { build } from '~build';
              import { suffix } from '@lib/suffix';
              export const graph = build(suffix);`,
          },
          { input: { text: 'hello' }, config: 'agents/langgraph.json' },
        );
        expect(failures).toEqual({});
        expect(results).toEqual({ graph: { text: 'hello?' } });
      },
      timeoutMs,
    );
  }

  test(
    'the start fails when none loads',
    async () => {
      const { refused } = await loadProject({
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
      expect((await loadProject(files, { env: { SHELL_WINS: 'shell' } })).env).toMatchObject({
        MODEL: 'large one',
        SHELL_WINS: 'shell',
      });
    },
    timeoutMs,
  );
});
