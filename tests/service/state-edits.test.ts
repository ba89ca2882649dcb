// `POST /threads/{id}/state` does to a thread what `updateState()` does, special nodes included.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { toWireJson } from '../../events/wire-json.js';
import { stateView } from '../../server/views/state-view.js';
import { Platform } from '../support/platform.js';
import { alike, inProcess } from '../support/served-alike.js';
import { Service } from '../support/service.js';

let service: Service;
let platform: Platform;

beforeAll(async () => {
  service = await Service.start({ workers: 1 });
  platform = new Platform(service.url);
}, 120_000);
afterAll(() => service?.stop(), 60_000);

interface Edit {
  readonly values?: unknown;
  readonly asNode?: string;
  /** Of the checkpoint before which this node runs; otherwise the latest. */
  readonly before?: string;
}
interface State {
  readonly values: unknown;
  readonly next: readonly string[];
  readonly metadata: { readonly source: string; readonly step: number } | undefined;
  readonly tasks: readonly { readonly name: string; readonly result: unknown }[];
  readonly checkpoint: { readonly checkpoint_id: string };
  readonly parent_checkpoint: { readonly checkpoint_id: string } | null;
}

/** One thread on either side of the HTTP interface. */
interface Side {
  run(input: unknown, interruptBefore: readonly string[]): Promise<unknown>;
  edit(edit: Edit): Promise<unknown>;
  history(): Promise<readonly State[]>;
}

async function own(): Promise<Side> {
  const graph = await inProcess('stages');
  const config = { configurable: { thread_id: 'edited' } };
  const history = async () => {
    const states: State[] = [];
    for await (const state of graph.getStateHistory(config)) {
      states.push(JSON.parse(toWireJson(stateView(state))) as State);
    }
    return states;
  };
  return {
    run: (input, interruptBefore) => graph.invoke(input, { ...config, interruptBefore: [...interruptBefore] }),
    edit: async ({ values, asNode, before }) => {
      const at = before && { checkpoint_id: idBefore(await history(), before) };
      return graph.updateState({ configurable: { ...config.configurable, ...at } }, values, asNode);
    },
    history,
  };
}

async function served(): Promise<Side> {
  const thread = await platform.thread();
  const history = () => platform.json<readonly State[]>('GET', `/threads/${thread}/history?limit=100`);
  return {
    run: (input, interruptBefore) => platform.wait(thread, 'stages', { input, interrupt_before: interruptBefore }),
    edit: async ({ values, asNode, before }) => {
      const checkpoint_id = before && idBefore(await history(), before);
      const answer = await platform.call('POST', `/threads/${thread}/state`, {
        ...(values !== undefined && { values }),
        ...(asNode !== undefined && { as_node: asNode }),
        ...(checkpoint_id && { checkpoint_id }),
      });
      if (answer.status !== 200) throw new Error(String(answer.body));
    },
    history,
  };
}

const idBefore = (history: readonly State[], node: string): string =>
  String(history.find(({ next }) => next.includes(node))?.checkpoint.checkpoint_id);

/** The thread from its first checkpoint on: each with its place, its values, and what comes next. */
const told = (history: readonly State[]) =>
  alike(
    history.toReversed().map(({ values, next, metadata, tasks, checkpoint, parent_checkpoint }) => ({
      id: checkpoint.checkpoint_id,
      after: parent_checkpoint?.checkpoint_id,
      values,
      next,
      metadata: [metadata?.source, metadata?.step],
      tasks: tasks.map(({ name, result }) => ({ name, result })),
    })),
  );

const log = (...entries: string[]) => ({ log: entries });

test.each<[string, readonly string[], readonly Edit[]]>([
  ['no node, where it is clear', [], [{ values: log('more') }]],
  ['a node, in the middle', ['second'], [{ values: log('instead'), asNode: 'second' }]],
  ['a node whose edge depends on the update', ['second'], [{ values: { log: ['x'], short: true }, asNode: 'second' }]],
  ['a node, upon an earlier checkpoint', [], [{ values: log('fork'), asNode: 'first', before: 'second' }]],
  ['several, one after the other', ['third'], [{ values: log('one') }, { values: log('two') }, { asNode: 'third' }]],
  ['__start__', [], [{ values: log('begin'), asNode: '__start__' }]],
  ['__end__', ['second'], [{ values: null, asNode: '__end__' }]],
  ['__end__ after an edit', ['second'], [{ values: log('x') }, { values: null, asNode: '__end__' }]],
  ['__end__ upon an earlier checkpoint', [], [{ values: null, asNode: '__end__', before: 'second' }]],
  ['__input__', ['second'], [{ values: log('input'), asNode: '__input__' }]],
  ['__input__ upon an earlier checkpoint', [], [{ values: log('input'), asNode: '__input__', before: 'third' }]],
  ['__copy__', ['second'], [{ values: null, asNode: '__copy__' }]],
  ['__copy__ of an earlier checkpoint', [], [{ values: null, asNode: '__copy__', before: 'second' }]],
  ['__copy__ with updates', ['second'], [{ values: [[log('copied'), 'second']], asNode: '__copy__' }]],
  ['nothing at all', ['second'], [{ values: null }]],
  ['nothing at all, upon an earlier checkpoint', [], [{ values: null, before: 'second' }]],
  ['null as a node', ['second'], [{ values: null, asNode: 'second' }]],
])(
  'an update as %s changes the thread as in process, and the run goes on alike',
  async (_name, stops, edits) => {
    const sides = await Promise.all([own(), served()]);
    const [expected, actual] = await Promise.all(
      sides.map(async (side) => {
        await side.run(log('input'), stops);
        for (const edit of edits) await side.edit(edit);
        const edited = told(await side.history());
        const result = await side.run(null, []);
        return { edited, result, done: told(await side.history()) };
      }),
    );
    expect(actual).toEqual(expected);
  },
  60_000,
);

test.each<Edit>([
  { values: null, asNode: '__input__' },
  { values: log('x'), asNode: 'nobody' },
  { values: { log: 'x', unknown: 1 }, asNode: '__end__' },
])(
  'an update that makes no sense is refused in the same words, and changes nothing: %j',
  async (edit) => {
    const sides = await Promise.all([own(), served()]);
    const [expected, actual] = await Promise.all(
      sides.map(async (side) => {
        await side.run(log('input'), ['second']);
        const refusal = await side.edit(edit).then(
          () => 'taken',
          (error: Error) => error.message.split('\n')[0],
        );
        return { refusal, history: told(await side.history()) };
      }),
    );
    expect(actual).toEqual(expected);
  },
  60_000,
);
