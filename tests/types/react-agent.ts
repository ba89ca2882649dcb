// What createReactAgent infers.
import { SystemMessage, type BaseMessage } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { Annotation, MessagesAnnotation } from 'superstep';
import { createReactAgent, type HumanInterrupt, type HumanResponse } from 'superstep/prebuilt';
import { z } from 'zod';
import { FakeChatModel } from '../fixtures/fake-chat-model.js';
import { expectType } from './expect-type.js';

const llm = new FakeChatModel({ replies: ['x'] });
const tools = [tool(() => 'x', { name: 'x', description: 'd', schema: z.object({}) })];

const plain = createReactAgent({ llm, tools, prompt: 'text' });
const plainResult = await plain.invoke({ messages: 'hi' });
expectType<BaseMessage[]>()(plainResult.messages);

const Form = z.object({ sum: z.number() });
const formed = createReactAgent({ llm, tools, responseFormat: Form });
expectType<number>()((await formed.invoke({ messages: [] })).structuredResponse.sum);

const State = Annotation.Root({ ...MessagesAnnotation.spec, mood: Annotation<string>() });
const Context = z.object({ user: z.string() });
const own = createReactAgent({
  llm: (state, runtime) => {
    expectType<string>()(state.mood);
    expectType<BaseMessage[]>()(state.llmInputMessages);
    expectType<string | undefined>()(runtime.context?.user);
    return llm;
  },
  tools,
  stateSchema: State,
  contextSchema: Context,
  preModelHook: (state) => ({ mood: state.mood, llmInputMessages: [new SystemMessage('x')] }),
  postModelHook: (state) => ({ mood: `${state.mood}!` }),
  interruptBefore: ['tools'],
  version: 'v2',
});
expectType<string>()((await own.invoke({ messages: [], mood: 'fine' })).mood);

// @ts-expect-error -- an agent has no such node
createReactAgent({ llm, tools, interruptBefore: ['elsewhere'] });
// @ts-expect-error -- there are two versions
createReactAgent({ llm, tools, version: 'v3' });

const question: HumanInterrupt = {
  action_request: { action: 'send', args: { to: 'ada' } },
  config: { allow_accept: true, allow_edit: true, allow_ignore: false, allow_respond: false },
};
const answer: HumanResponse = { type: 'edit', args: question.action_request };
expectType<'accept' | 'ignore' | 'response' | 'edit'>()(answer.type);
