import { describe, expect, it } from '@jest/globals';
import { HumanMessage, type BaseMessage } from '@langchain/core/messages';
import { MemorySaver } from '@langchain/langgraph-checkpoint';
import { Command, isInterrupted } from 'superstep';
import type { ApprovalRequest, Decision } from '../../examples/models/approval.js';
import { ScriptedChatModel } from '../../examples/models/scripted-chat-model.js';
import { agentBuilder } from '../../examples/tools/graph.js';
import { agentScript } from '../../examples/tools/script.js';

const thread = { configurable: { thread_id: 'tools' } };
const compile = () =>
  agentBuilder(new ScriptedChatModel({ script: agentScript, tokenDelayMs: 0 })).compile({
    checkpointer: new MemorySaver(),
  });
const ask = (text: string) => ({ messages: [new HumanMessage(text)] });
const said = ({ messages }: { messages: BaseMessage[] }): string | undefined => messages.at(-1)?.text;

describe('the tools example', () => {
  it('lists and reads without asking anybody', async () => {
    const graph = compile();
    expect(said(await graph.invoke(ask('List the files.'), thread))).toContain('drafts/old-letter.txt');
    expect(said(await graph.invoke(ask('Read reports/tides.txt'), thread))).toBe('High water at 06:12 and 18:37.');
  });

  it('tells a tool’s error', async () => {
    expect(said(await compile().invoke(ask('Read nothing.txt'), thread))).toContain('There is no file "nothing.txt"');
  });

  it('asks about every deletion at once, and does with each as it is told', async () => {
    const graph = compile();
    const stopped = await graph.invoke(ask('Delete the drafts.'), thread);
    expect(isInterrupted(stopped)).toBe(true);
    const asked = (await graph.getState(thread)).tasks[0]?.interrupts[0]?.value as ApprovalRequest;
    expect(asked).toEqual({
      action_requests: [
        { name: 'delete_file', args: { path: 'drafts/letter.txt' } },
        { name: 'delete_file', args: { path: 'drafts/old-letter.txt' } },
      ],
      review_configs: [{ action_name: 'delete_file', allowed_decisions: ['approve', 'edit', 'reject'] }],
    });

    const decisions: Decision[] = [{ type: 'reject', message: 'still needed' }, { type: 'approve' }];
    const result = await graph.invoke(new Command({ resume: { decisions } }), thread);
    expect(Object.keys(result.files)).toEqual(['drafts/letter.txt', 'reports/tides.txt']);
    expect(said(result)).toContain('still needed');
    expect(said(result)).toContain('Deleted drafts/old-letter.txt.');
  });

  it('runs an edited call in place of the one it asked about', async () => {
    const graph = compile();
    await graph.invoke(ask('Delete the old letter: drafts/old-letter.txt'), thread);
    await graph.invoke(ask('Delete drafts/old-letter.txt'), thread);
    const edited_action = { name: 'delete_file', args: { path: 'reports/tides.txt' } };
    const result = await graph.invoke(
      new Command({ resume: { decisions: [{ type: 'edit', edited_action }] } }),
      thread,
    );
    expect(Object.keys(result.files)).toEqual(['drafts/letter.txt', 'drafts/old-letter.txt']);
  });

  it('refuses an answer with another number of decisions', async () => {
    const graph = compile();
    await graph.invoke(ask('Delete the drafts.'), thread);
    await expect(graph.invoke(new Command({ resume: { decisions: [{ type: 'approve' }] } }), thread)).rejects.toThrow(
      '2 decisions',
    );
  });
});
