// A project that imports LangGraph runs on this engine, however it imports it and whatever it has installed.
import { cpSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { loadProject, type ProjectFiles } from '../support/load-project.js';

const timeoutMs = 120_000;
const engineOfTheProcess = `globalThis.superstepOfTheProcess.StateGraph`;

const graph = (state: string): string => `
const State = Annotation.Root({ ...MessagesAnnotation.spec, sameEngine: Annotation });
const graph = new StateGraph(State)
  .addNode('answer', ({ messages }) => ({
    sameEngine: StateGraph === ${engineOfTheProcess},
    messages: [${state}],
  }))
  .addEdge(START, 'answer')
  .compile();
`;
const config = (path: string) => ({ graphs: { graph: `${path}:graph` } });
const imports = `
import { Annotation, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph';
import { ToolNode } from '@langchain/langgraph/prebuilt';
import { StateGraph as OfWeb } from '@langchain/langgraph/web';
if (OfWeb !== StateGraph || !new ToolNode([])) throw new Error('the entries do not agree');
`;
const requires = `
const { Annotation, MessagesAnnotation, START, StateGraph } = require('@langchain/langgraph');
const { ToolNode } = require('@langchain/langgraph/prebuilt');
if (!new ToolNode([])) throw new Error();
`;
const echo = graph(`{ role: 'assistant', content: 'echo ' + messages.at(-1).content }`);

const kinds: Readonly<Record<string, ProjectFiles>> = {
  'an ES module': {
    'package.json': { type: 'module' },
    'langgraph.json': config('./graph.js'),
    'graph.js': `${imports}${echo}export { graph };`,
  },
  TypeScript: {
    'langgraph.json': config('./src/graph.ts'),
    'src/graph.ts': `${imports}${echo}export { graph }; export type Nothing = never;`,
  },
  CommonJS: {
    'package.json': {},
    'langgraph.json': config('./graph.js'),
    'graph.js': `${requires}${echo}exports.graph = graph;`,
  },
  'CommonJS by its extension': {
    'package.json': { type: 'module' },
    'langgraph.json': config('./graph.cjs'),
    'graph.cjs': `${requires}${echo}exports.graph = graph;`,
  },
  'TypeScript that is CommonJS by its extension': {
    'package.json': { type: 'module' },
    'langgraph.json': config('./graph.cts'),
    'graph.cts': `${imports}${echo}export { graph };`,
  },
  'an ES module that uses a CommonJS package of its own': {
    'package.json': { type: 'module' },
    'langgraph.json': config('./graph.js'),
    'node_modules/kit/package.json': { name: 'kit', main: 'index.js' },
    'node_modules/kit/index.js': `${requires}${echo}exports.graph = graph;`,
    'graph.js': `export { graph } from 'kit';`,
  },
};

const input = { messages: [{ role: 'user', content: 'hello' }] };
const echoed = {
  sameEngine: true,
  messages: [
    expect.objectContaining({ kwargs: expect.objectContaining({ content: 'hello' }) }),
    expect.objectContaining({ kwargs: expect.objectContaining({ content: 'echo hello' }) }),
  ],
};

describe('a project without LangGraph installed', () => {
  test.each(Object.entries(kinds))(
    '%s',
    async (_kind, files) => {
      const { failures, results } = await loadProject(files, { input });
      expect(failures).toEqual({});
      expect(results).toEqual({ graph: echoed });
    },
    timeoutMs,
  );
});

const installed = resolve('node_modules');

/** Its own copies, as an installer would make them; what these need in turn is linked. */
function install(folder: string, copies: readonly string[], links: readonly string[]): void {
  const modules = join(folder, 'node_modules');
  for (const name of copies) cpSync(join(installed, name), join(modules, name), { recursive: true });
  for (const name of links) {
    mkdirSync(join(modules, name, '..'), { recursive: true });
    symlinkSync(join(installed, name), join(modules, name));
  }
}

describe('a project with copies of its own', () => {
  const answers = `new AIMessage({ content: [...messages.map((message) => message.getType()), 'own'].join() })`;

  test(
    "messages of the project's @langchain/core are messages, and the engine is this one",
    async () => {
      const files = {
        'package.json': { type: 'module' },
        'langgraph.json': config('./graph.js'),
        'graph.js': `import { AIMessage } from '@langchain/core/messages';${imports}${graph(answers)}export { graph };`,
      };
      const core = JSON.parse(readFileSync(join(installed, '@langchain/core/package.json'), 'utf8')) as {
        dependencies: Record<string, string>;
      };
      const links = Object.keys(core.dependencies);
      const { refused, results } = await loadProject(files, {
        input,
        prepare: (folder) => install(folder, ['@langchain/core'], links),
      });
      expect(refused).toBeUndefined();
      expect(results).toMatchObject({
        graph: { sameEngine: true, messages: [{}, { kwargs: { content: 'human,own' } }] },
      });
    },
    timeoutMs,
  );
});

describe('with the engine alias off', () => {
  const files = {
    'package.json': { type: 'module' },
    'langgraph.json': config('./graph.js'),
    'graph.js': `${imports}${echo}export { graph };`,
  };
  const env = { SUPERSTEP_ENGINE_ALIAS: 'off' };

  test(
    'a graph of the installed package is refused, with what to do',
    async () => {
      const prepare = (folder: string) => install(folder, [], ['@langchain/langgraph']);
      const { refused } = await loadProject(files, { env, prepare });
      expect(refused).toMatch(/^Graph "graph" does not load: it runs on the engine of the @langchain\/langgraph/);
      expect(refused).toContain('start without --engine-alias off (SUPERSTEP_ENGINE_ALIAS)');
    },
    timeoutMs,
  );

  test(
    'a project that has no such package is told so',
    async () => {
      const { refused } = await loadProject(files, { env });
      expect(refused).toMatch(/@langchain\/langgraph/);
    },
    timeoutMs,
  );
});

describe('a graph that came past the alias', () => {
  const prepare = (folder: string) => install(folder, [], ['@langchain']);
  const byPath = `import { Annotation, MessagesAnnotation, START, StateGraph } from './node_modules/@langchain/langgraph/dist/index.js';`;

  test(
    'is refused, with what to do',
    async () => {
      const { refused } = await loadProject(
        { 'langgraph.json': config('./graph.mjs'), 'graph.mjs': `${byPath}${echo}export { graph };` },
        { prepare },
      );
      expect(refused).toMatch(/was compiled by a copy of LangGraph that was not imported as "@langchain\/langgraph"/);
    },
    timeoutMs,
  );

  test(
    'is refused as a node, too',
    async () => {
      const outer = `
import * as own from '@langchain/langgraph';
const outer = new own.StateGraph(own.MessagesAnnotation).addNode('inner', graph).addEdge(own.START, 'inner').compile();
export { outer as graph };`;
      const { refused } = await loadProject(
        { 'langgraph.json': config('./graph.mjs'), 'graph.mjs': `${byPath}${echo}${outer}` },
        { prepare },
      );
      expect(refused).toMatch(/Node `inner` is a graph that was compiled by another copy of LangGraph/);
    },
    timeoutMs,
  );
});
