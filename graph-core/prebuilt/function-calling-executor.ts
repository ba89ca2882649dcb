// The loop of models that call OpenAI's functions, which tool calls replaced.
import { FunctionMessage, type BaseMessage } from '@langchain/core/messages';
import { RunnableLambda, type Runnable, type RunnableConfig, type RunnableToolLike } from '@langchain/core/runnables';
import type { StructuredToolInterface } from '@langchain/core/tools';
import { convertToOpenAIFunction } from '@langchain/core/utils/function_calling';
import { END, START } from '../constants.js';
import { Annotation } from '../graph/annotation.js';
import { StateGraph } from '../graph/state-graph.js';
import { toolExecutorOf, type ToolExecutor, type ToolInvocationInterface } from './tool-executor.js';

/** @deprecated Use {@link createReactAgent}. */
export interface FunctionCallingExecutorState {
  messages: BaseMessage[];
}

const State = Annotation.Root({
  messages: Annotation<BaseMessage[]>({ reducer: (messages, more) => messages.concat(more), default: () => [] }),
});

interface Bindable {
  bind(options: { readonly functions: readonly unknown[] }): Runnable<BaseMessage[], BaseMessage>;
}

const isBindable = (model: object): model is Bindable => 'bind' in model && typeof model.bind === 'function';

/**
 * @throws Error for a model without `bind`, which those of LangChain 1.x are.
 * @deprecated Use {@link createReactAgent}.
 */
export function createFunctionCallingExecutor<Model extends object>({
  model,
  tools,
}: {
  readonly model: Model;
  readonly tools: (StructuredToolInterface | RunnableToolLike)[] | ToolExecutor;
}) {
  const executor = toolExecutorOf(tools);
  if (!isBindable(model)) throw new Error('Model must be bindable');
  const bound = model.bind({ functions: executor.tools.map((tool) => convertToOpenAIFunction(tool)) });
  return new StateGraph(State)
    .addNode(
      'agent',
      new RunnableLambda({
        func: async ({ messages }: FunctionCallingExecutorState, config: RunnableConfig) => ({
          messages: [await bound.invoke(messages, config)],
        }),
      }),
    )
    .addNode(
      'action',
      new RunnableLambda({
        func: async ({ messages }: FunctionCallingExecutorState, config: RunnableConfig) => {
          const call = callIn(messages);
          const content = (await executor.invoke(call, config)) as string;
          return { messages: [new FunctionMessage({ content, name: call.tool })] };
        },
      }),
    )
    .addEdge(START, 'agent')
    .addConditionalEdges(
      'agent',
      ({ messages }) => (messages.at(-1)?.additional_kwargs.function_call ? 'continue' : 'end'),
      {
        continue: 'action',
        end: END,
      },
    )
    .addEdge('action', 'agent')
    .compile();
}

/** @throws Error where the last message calls nothing. */
function callIn(messages: readonly BaseMessage[]): ToolInvocationInterface & { readonly log: string } {
  const last = messages.at(-1);
  if (!last) throw new Error('No messages found.');
  const { function_call: call } = last.additional_kwargs;
  if (!call) throw new Error('No function call found in message.');
  return { tool: call.name, toolInput: JSON.stringify(call.arguments), log: '' };
}
