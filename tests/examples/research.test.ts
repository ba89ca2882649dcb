import { describe, expect, it } from '@jest/globals';
import { MemorySaver } from '@langchain/langgraph-checkpoint';
import { Command, isInterrupted } from 'superstep';
import type { ApprovalRequest } from '../../examples/models/approval.js';
import { ScriptedChatModel } from '../../examples/models/scripted-chat-model.js';
import { corpus, researchBuilder } from '../../examples/research/graph.js';
import { PassageIndex } from '../../examples/research/passage-index.js';
import { criticScript, planScript, reportScript } from '../../examples/research/scripts.js';

const question = 'How did sailors find longitude before satellite navigation, and how do lighthouses help at night?';
const library = PassageIndex.ofFolder(corpus);
const model = (script: typeof planScript) => new ScriptedChatModel({ script, tokenDelayMs: 0 });
const compile = () =>
  researchBuilder({
    planner: model(planScript),
    critic: model(criticScript),
    writer: model(reportScript),
    library,
  }).compile({
    checkpointer: new MemorySaver(),
  });
const thread = { configurable: { thread_id: 'research' } };

describe('the search of the research example', () => {
  it.each([
    ['longitude clockmaker prize', 'longitude#2'],
    ['lens cut into rings', 'fresnel-lens#1'],
    ['why are spring tides large', 'tides#2'],
    ['red to port when entering from sea', 'buoys#2'],
  ])('puts the passage about "%s" first', (query, id) => {
    expect(library.search(query, 1).map(({ passage }) => passage.id)).toEqual([id]);
  });

  it('finds nothing where no word occurs', () => {
    expect(library.search('zeppelin mooring masts?', 3).filter(({ score }) => score > 20)).toEqual([]);
    expect(library.search('zeppelin', 3)).toEqual([]);
  });
});

describe('the research example', () => {
  it('plans, searches in parallel, is sent back by the critic, writes, and waits for an approval', async () => {
    const graph = compile();
    const nodes: string[] = [];
    let tokens = 0;
    for await (const [mode, chunk] of await graph.stream(
      { question },
      { ...thread, streamMode: ['updates', 'messages'] },
    )) {
      if (mode === 'updates') nodes.push(...Object.keys(chunk));
      else if ((chunk as [unknown, { langgraph_node: string }])[1].langgraph_node === 'write') tokens += 1;
    }
    expect(nodes.slice(0, 3)).toEqual(['plan', 'search', 'search']);
    expect(nodes.filter((node) => node === 'critic').length).toBeGreaterThan(1);
    expect(nodes.slice(-2)).toEqual(['write', '__interrupt__']);
    expect(tokens).toBeGreaterThan(50);

    const state = await graph.getState(thread);
    expect(state.next).toEqual(['publish']);
    const asked = state.tasks[0]?.interrupts[0]?.value as ApprovalRequest;
    expect(asked.action_requests.map(({ name }) => name)).toEqual(['publish_report']);
  });

  it('reports nothing that its passages do not say', async () => {
    const graph = compile();
    const { report, passages } = await graph.invoke({ question }, thread);
    const quotes = report
      .split('\n')
      .filter((line: string) => line.startsWith('- '))
      .map((line: string) => /^- (.*) \[(\d+)\]$/.exec(line));
    expect(quotes.length).toBeGreaterThan(3);
    for (const quote of quotes) expect(passages[Number(quote?.[2]) - 1]?.text).toContain(quote?.[1]);
    expect(report).toContain('Harrison');
  });

  it('says what the library does not know', async () => {
    const { report } = await compile().invoke({ question: 'Who baked the first croissant?' }, thread);
    expect(report).toMatch(/No passage mentions:.*croissant/);
  });

  it.each([
    ['approve', { type: 'approve' }, { kind: 'published', title: question }],
    [
      'edit',
      { type: 'edit', edited_action: { name: 'publish_report', args: { title: 'Shorter' } } },
      { kind: 'published', title: 'Shorter' },
    ],
    ['reject', { type: 'reject', message: 'too long' }, { kind: 'rejected', reason: 'too long' }],
  ])('does as it is told: %s', async (_decision, decision, outcome) => {
    const graph = compile();
    expect(isInterrupted(await graph.invoke({ question }, thread))).toBe(true);
    const result = await graph.invoke(new Command({ resume: { decisions: [decision] } }), thread);
    expect(result.outcome).toMatchObject(outcome);
    expect((await graph.getState(thread)).next).toEqual([]);
  });

  it('asks for a question', async () => {
    await expect(compile().invoke({ question: ' ' }, thread)).rejects.toThrow('needs a question');
  });
});
