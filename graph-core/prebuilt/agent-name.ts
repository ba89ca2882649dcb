// Which of several agents said what: models that have no field for it are told within the text.
import type { LanguageModelLike } from '@langchain/core/language_models/base';
import {
  AIMessage,
  isAIMessage,
  isBaseMessage,
  type BaseMessage,
  type BaseMessageLike,
  type ContentBlock,
  type MessageContent,
} from '@langchain/core/messages';
import { RunnableLambda, RunnableSequence } from '@langchain/core/runnables';

export type AgentNameMode = 'inline';

const NAME = /<name>(.*?)<\/name>/s;
const CONTENT = /<content>(.*?)<\/content>/s;
const tagged = (name: string, text: string): string => `<name>${name}</name><content>${text}</content>`;

/**
 * A model that reads each agent's name, and text, in tags; what it answers in the same tags comes out without them.
 * @param mode `inline` is the only one there is.
 * @throws Error for another mode.
 */
export function withAgentName(model: LanguageModelLike, mode: AgentNameMode): LanguageModelLike {
  if (mode !== 'inline') throw new Error(`Invalid agent name mode: ${String(mode)}. Needs to be one of: "inline"`);
  return RunnableSequence.from([
    RunnableLambda.from((messages: BaseMessageLike[]) => messages.map(withTags)),
    model,
    RunnableLambda.from(withoutTags),
  ]) as LanguageModelLike;
}

function withTags(message: BaseMessageLike): BaseMessageLike {
  if (!isBaseMessage(message) || !isAIMessage(message) || !message.name) return message;
  const { name, content } = message;
  return copied(message, typeof content === 'string' ? tagged(name, content) : taggedBlocks(name, content), undefined);
}

/** Text blocks, each in tags; one for the name alone where there is no text. */
function taggedBlocks(name: string, blocks: readonly ContentBlock[]): MessageContent {
  let named = false;
  const content = blocks.map((block: ContentBlock | string) => {
    if (typeof block !== 'string' && block.type !== 'text') return block;
    named = true;
    if (typeof block === 'string') return tagged(name, block);
    return { ...block, text: tagged(name, String(block['text'])) };
  });
  return (named ? content : [{ type: 'text', text: tagged(name, '') }, ...content]) as MessageContent;
}

function withoutTags(message: BaseMessage): BaseMessage {
  if (!isAIMessage(message) || !message.content) return message;
  const { content } = message;
  if (typeof content === 'string') {
    const { name, text } = untagged(content);
    return name === undefined || text === undefined ? message : copied(message, text, name);
  }
  let agent: string | undefined;
  const blocks = content.flatMap((block) => {
    if (block.type !== 'text' || typeof block['text'] !== 'string') return [block];
    const { name, text } = untagged(block['text']);
    if (name === undefined) return [block];
    agent = name;
    return text ? [{ ...block, text }] : [];
  });
  return copied(message, blocks, agent);
}

function untagged(text: string): { readonly name?: string; readonly text?: string } {
  return { name: NAME.exec(text)?.[1], text: CONTENT.exec(text)?.[1] };
}

/** With the fields the message was made of: ids, tool calls, metadata. */
function copied(message: AIMessage, content: MessageContent, name: string | undefined): AIMessage {
  const fields = Object.keys(message.lc_kwargs ?? {}).length > 0 ? message.lc_kwargs : message;
  return new AIMessage({ ...(fields as object), content, name });
}
