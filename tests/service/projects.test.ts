// Projects that import LangGraph and packages upon it, as they are: served by the real processes, spoken to by the
// official client. tests/conformance/projects.test.ts compares the same projects with LangGraph, in one process.
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Client, type Command } from '@langchain/langgraph-sdk';
import { packageRoot } from '../../processes/package-root.js';
import { Service } from '../support/service.js';

const timeoutMs = 120_000;
let service: Service;
let client: Client;

beforeAll(async () => {
  service = await Service.start({
    workers: 1,
    config: join(packageRoot, 'tests', 'fixtures', 'projects', 'langgraph.json'),
  });
  client = new Client({ apiUrl: service.url });
}, 180_000);
afterAll(() => service?.stop(), 60_000);

interface Part {
  readonly event: string;
  readonly data: any;
}

const human = (content: string) => ({ messages: [{ type: 'human', content }] });
const newThread = async (): Promise<string> => (await client.threads.create()).thread_id;
const textOf = ({ content }: { content: string | { text?: string }[] }): string =>
  typeof content === 'string' ? content : content.map(({ text }) => text ?? '').join('');
const spoken = (values: any): string[] => values.messages.map((message: any) => `${message.type}: ${textOf(message)}`);
const lastSpoken = (values: any): string | undefined => spoken(values).at(-1);

interface StreamOptions {
  readonly input?: Record<string, unknown>;
  readonly command?: Command;
  readonly subgraphs?: boolean;
  readonly onPart?: (part: Part) => Promise<void>;
}

async function stream(thread: string, graph: string, { onPart, subgraphs, ...payload }: StreamOptions) {
  const parts: Part[] = [];
  const options = {
    ...payload,
    input: payload.input ?? null,
    streamMode: ['values' as const, 'updates' as const, 'messages-tuple' as const],
    streamSubgraphs: subgraphs ?? false,
  };
  for await (const part of client.runs.stream(thread, graph, options)) {
    parts.push(part);
    await onPart?.(part);
  }
  return parts;
}

const eventsOf = (parts: readonly Part[], event: string): any[] =>
  parts.filter((part) => part.event === event).map(({ data }) => data);
/** Tokens, put together by message. */
const speech = (parts: readonly Part[]): string[] => {
  const byId = new Map<string, string>();
  for (const { event, data } of parts) {
    if (!event.startsWith('messages')) continue;
    const [message] = data;
    if (message.type === 'ai') byId.set(message.id, (byId.get(message.id) ?? '') + textOf(message));
  }
  return [...byId.values()].filter((text) => text !== '');
};

test(
  'a StateGraph agent asks a person, and goes on with the answer',
  async () => {
    const thread = await newThread();
    const asked = await stream(thread, 'state-graph-agent', { input: human('How far is Ulm?') });
    expect(speech(asked)).toEqual(['Let me look. ', 'It is 12 km, and Ulm is on the list.']);
    expect(eventsOf(asked, 'updates').map((update) => Object.keys(update)[0])).toEqual([
      'model',
      'tools',
      'model',
      '__interrupt__',
    ]);
    const state = await client.threads.getState<any>(thread);
    expect(state.tasks[0]?.interrupts).toMatchObject([{ value: { book: ['Ulm'] } }]);
    const booked = await stream(thread, 'state-graph-agent', { command: { resume: true } });
    const values = eventsOf(booked, 'values').at(-1);
    expect(values).toMatchObject({ booked: true, places: ['Ulm'] });
    expect(lastSpoken(values)).toBe('ai: Booked: Ulm.');
  },
  timeoutMs,
);

describe('createAgent with humanInTheLoopMiddleware', () => {
  const request = {
    actionRequests: [
      {
        name: 'send_email',
        args: { to: 'ada@example.org', subject: 'Hello' },
        description: 'An e-mail is about to be sent.',
      },
    ],
    reviewConfigs: [{ actionName: 'send_email', allowedDecisions: ['approve', 'edit', 'reject'] }],
  };

  async function asked(): Promise<string> {
    const thread = await newThread();
    const values: any = await client.runs.wait(thread, 'approval', { input: human('Write to Ada.') });
    expect(values.__interrupt__).toMatchObject([{ value: request }]);
    return thread;
  }
  const decide = (thread: string, ...decisions: object[]): Promise<any> =>
    client.runs.wait(thread, 'approval', { command: { resume: { decisions } } });

  test(
    'approve runs the tool as it was called',
    async () => {
      const values = await decide(await asked(), { type: 'approve' });
      expect(lastSpoken(values)).toBe('ai: Done: sent "Hello" to ada@example.org');
    },
    timeoutMs,
  );

  test(
    'edit runs it with other arguments',
    async () => {
      const editedAction = { name: 'send_email', args: { to: 'ada@example.org', subject: 'Good evening' } };
      const values = await decide(await asked(), { type: 'edit', editedAction });
      expect(lastSpoken(values)).toBe('ai: Done: sent "Good evening" to ada@example.org');
    },
    timeoutMs,
  );

  test(
    'reject tells the model so, and the tool does not run',
    async () => {
      const values = await decide(await asked(), { type: 'reject', message: 'Not today.' });
      expect(spoken(values).slice(-2)).toEqual(['tool: Not today.', 'ai: Done: Not today.']);
    },
    timeoutMs,
  );

  test(
    'the question is in the state of the thread, and in the stream',
    async () => {
      const thread = await newThread();
      const parts = await stream(thread, 'approval', { input: human('Write to Ada.') });
      expect(eventsOf(parts, 'updates').at(-1)).toMatchObject({ __interrupt__: [{ value: request }] });
      const state = await client.threads.getState(thread);
      expect(state.next).toEqual(['HumanInTheLoopMiddleware.after_model']);
      expect(state.tasks[0]?.interrupts).toMatchObject([{ value: request }]);
      expect((await client.threads.get(thread)).status).toBe('interrupted');
    },
    timeoutMs,
  );

  test(
    'a worker killed in the run and again in the pause loses nothing',
    async () => {
      const thread = await newThread();
      let kills = 0;
      const parts = await stream(thread, 'approval', {
        input: human('Write to Ada.'),
        onPart: async ({ event }) => {
          if (event !== 'updates' || kills > 0) return;
          kills += 1;
          await service.kill('worker-1');
          await service.restart('worker-1');
        },
      });
      expect(kills).toBe(1);
      expect(eventsOf(parts, 'updates').at(-1)).toMatchObject({ __interrupt__: [{ value: request }] });
      await service.kill('worker-1');
      const decided = decide(thread, { type: 'approve' });
      await service.restart('worker-1');
      expect(spoken(await decided)).toEqual([
        'human: Write to Ada.',
        'ai: ',
        'tool: ada@example.org',
        'ai: I have the address. ',
        'tool: sent "Hello" to ada@example.org',
        'ai: Done: sent "Hello" to ada@example.org',
      ]);
    },
    timeoutMs,
  );
});

test(
  'deepagents: the plan and the files are in the state, and the sub-agent in the stream',
  async () => {
    const thread = await newThread();
    const parts = await stream(thread, 'deep-agent', { input: human('Report on whales.'), subgraphs: true });
    expect(parts.some(({ event }) => event.startsWith('updates|tools:'))).toBe(true);
    const { values } = await client.threads.getState<any>(thread);
    expect(values.todos).toEqual([
      { content: 'research', status: 'in_progress' },
      { content: 'write', status: 'pending' },
    ]);
    expect(values.files['/report.md']).toMatchObject({ content: 'Found: Three facts about whales.' });
    expect(lastSpoken(values)).toBe('ai: The report is in /report.md.');
  },
  timeoutMs,
);

test(
  'a supervisor hands work to its agents',
  async () => {
    const thread = await newThread();
    const parts = await stream(thread, 'supervisor', {
      input: human('How many live in Ulm and Bern?'),
      subgraphs: true,
    });
    const nodes = eventsOf(parts, 'updates').map((update) => Object.keys(update)[0]);
    expect(nodes).toEqual(['supervisor', 'researcher', 'supervisor', 'math_expert', 'supervisor']);
    expect(parts.some(({ event }) => event.startsWith('updates|researcher:'))).toBe(true);
    expect(lastSpoken((await client.threads.getState(thread)).values)).toBe(
      'ai: Together they have 276 thousand inhabitants.',
    );
  },
  timeoutMs,
);

test(
  'in a swarm the agent that spoke last is spoken to',
  async () => {
    const thread = await newThread();
    const say = async (text: string): Promise<any> => client.runs.wait(thread, 'swarm', { input: human(text) });
    const answers = [];
    for (const text of ['Hello.', 'A pirate, please.', 'And now?', 'Alice again.']) {
      const values = await say(text);
      answers.push([values.activeAgent, lastSpoken(values)]);
    }
    expect(answers).toEqual([
      [undefined, 'ai: Alice speaking.'],
      ['bob', 'ai: Arr, Bob speaking.'],
      ['bob', 'ai: Arr, Bob speaking.'],
      ['alice', 'ai: Alice speaking.'],
    ]);
  },
  timeoutMs,
);
