import { describe, expect, it } from '@jest/globals';
import type { BaseMessage } from '@langchain/core/messages';
import { MemorySaver } from '@langchain/langgraph-checkpoint';
import { Command, type CompiledGraph } from 'superstep';
import { ScriptedChatModel } from '../../examples/models/scripted-chat-model.js';
import { oneNodeBuilder } from '../../examples/review/one-node.js';
import { translationScript } from '../../examples/review/translator.js';
import { twoNodesBuilder } from '../../examples/review/two-nodes.js';

const text = 'The ship arrives tomorrow with the mail.';
const draft = 'Das Schiff kommt an morgen mit das [mail].';
const edited = 'Das Schiff kommt morgen mit der Post an.';

describe.each([
  ['one node', oneNodeBuilder, 2],
  ['two nodes', twoNodesBuilder, 1],
] as const)('the review example in %s', (_form, builder, modelCalls) => {
  const compiled = () => {
    const calls: (readonly BaseMessage[])[] = [];
    const model = new ScriptedChatModel({
      tokenDelayMs: 0,
      script: (messages) => {
        calls.push(messages);
        return translationScript(messages);
      },
    });
    const graph: CompiledGraph = builder(model).compile({ checkpointer: new MemorySaver() });
    return { graph, calls };
  };
  const thread = { configurable: { thread_id: 'review' } };

  it(`shows the draft, takes the person's version and has called the model ${modelCalls} times`, async () => {
    const { graph, calls } = compiled();
    await graph.invoke({ text }, thread);
    const asked = (await graph.getState(thread)).tasks[0]?.interrupts[0]?.value;
    expect(asked).toMatchObject({ text, draft });
    const result = await graph.invoke(new Command({ resume: edited }), thread);
    expect(result).toMatchObject({ draft, translation: edited });
    expect(calls).toHaveLength(modelCalls);
  });

  it('keeps the draft at a blank answer', async () => {
    const { graph } = compiled();
    await graph.invoke({ text }, thread);
    expect(await graph.invoke(new Command({ resume: ' ' }), thread)).toMatchObject({ translation: draft });
  });

  it('refuses an answer that is no text', async () => {
    const { graph } = compiled();
    await graph.invoke({ text }, thread);
    await expect(graph.invoke(new Command({ resume: { translation: edited } }), thread)).rejects.toThrow('as text');
  });
});
