// What an agent's model is told before the conversation.
import { isBaseMessage, SystemMessage, type BaseMessage, type BaseMessageLike } from '@langchain/core/messages';
import { Runnable, RunnableLambda } from '@langchain/core/runnables';
import type { NodeConfig } from '../engine/node-config.js';

type MessagesState = { readonly messages: BaseMessage[] };

/** Put before the messages; or a function, or Runnable, that makes the model's input of the state. */
export type Prompt =
  | SystemMessage
  | string
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- the state is whatever the agent's schema says
  | ((state: any, config: NodeConfig) => BaseMessageLike[] | Promise<BaseMessageLike[]>)
  | Runnable;

/** @deprecated The older name of `Prompt`. */
export type StateModifier = Prompt;

/** @deprecated A `Prompt` that knows the messages only. */
export type MessageModifier =
  SystemMessage | string | ((messages: BaseMessage[]) => BaseMessage[] | Promise<BaseMessage[]>) | Runnable;

export interface PromptOptions {
  readonly prompt?: Prompt;
  readonly stateModifier?: StateModifier;
  readonly messageModifier?: MessageModifier;
}

/** Its run in traces. */
const RUN_NAME = { runName: 'prompt' };

/**
 * From the agent's state to the input of its model.
 * @throws Error when more than one is given, or one of a type that cannot be a prompt.
 */
export function promptRunnable({ prompt, stateModifier, messageModifier }: PromptOptions): Runnable {
  const given = [prompt, stateModifier, messageModifier].filter((one) => one !== undefined && one !== null);
  if (given.length > 1) {
    throw new Error('Expected only one of prompt, stateModifier, or messageModifier, got multiple values');
  }
  const promptOfState = prompt ?? stateModifier;
  if (promptOfState !== undefined || messageModifier === undefined) return fromPrompt(promptOfState);
  return fromPrompt(ofMessages(messageModifier));
}

function fromPrompt(prompt: Prompt | null | undefined): Runnable {
  if (prompt === undefined || prompt === null) return lambda(({ messages }) => messages);
  if (typeof prompt === 'string') return fromPrompt(new SystemMessage(prompt));
  if (isSystemMessage(prompt)) return lambda(({ messages }) => [prompt, ...(messages ?? [])]);
  if (typeof prompt === 'function') return lambda(prompt as never);
  if (Runnable.isRunnable(prompt)) return prompt;
  throw new Error(`Got unexpected type for 'prompt': ${typeof prompt}`);
}

function ofMessages(modifier: MessageModifier): Prompt {
  if (typeof modifier === 'string' || isSystemMessage(modifier)) return modifier;
  if (typeof modifier === 'function') return async ({ messages }: MessagesState) => modifier(messages);
  if (Runnable.isRunnable(modifier))
    return RunnableLambda.from(({ messages }: MessagesState) => messages).pipe(modifier);
  throw new Error(`Unexpected type for messageModifier: ${typeof modifier}`);
}

const lambda = (step: (state: MessagesState) => BaseMessageLike[]): Runnable =>
  RunnableLambda.from(step).withConfig(RUN_NAME);

const isSystemMessage = (value: unknown): value is SystemMessage =>
  isBaseMessage(value) && value.getType() === 'system';
