// A whole message told as the events that a chat model would have streamed it with.
import type { ContentBlockDelta } from '@langchain/core/language_models/event';
import { isToolMessage, type BaseMessage, type ContentBlock } from '@langchain/core/messages';
import type { MessagesEventData } from '../stream/protocol.js';

/** @param message with the id it is known by, if it has one. */
export function* messageEvents(message: BaseMessage): Generator<MessagesEventData> {
  yield messageStart(message);
  let position = 0;
  for (const block of contentBlocks(message)) {
    const index = typeof block['index'] === 'number' ? block['index'] : position;
    yield { event: 'content-block-start', index, content: emptied(block) };
    const delta = wholeDelta(block, index);
    if (delta) yield { event: 'content-block-delta', index, delta };
    yield { event: 'content-block-finish', index, content: block };
    position += 1;
  }
  const { usage_metadata: usage, response_metadata: responseMetadata } = message as Partial<MessageEnd>;
  yield { event: 'message-finish', ...(usage && { usage }), ...(responseMetadata && { responseMetadata }) };
}

interface MessageEnd {
  readonly usage_metadata: Extract<MessagesEventData, { event: 'message-finish' }>['usage'];
  readonly response_metadata: Record<string, unknown>;
}

function messageStart(message: BaseMessage): MessagesEventData {
  const role = OTHER_ROLES.find((other) => other === message.type);
  return {
    event: 'message-start',
    ...(message.id !== undefined && { id: message.id }),
    ...(role && { role }),
    ...(isToolMessage(message) && { tool_call_id: message.tool_call_id }),
  };
}

/** A message without a role is a model's. */
const OTHER_ROLES = ['human', 'system', 'tool'] as const;

type Block = ContentBlock & Readonly<Record<string, unknown>>;

function contentBlocks({ content }: BaseMessage): readonly Block[] {
  if (Array.isArray(content)) return content;
  return typeof content === 'string' && content !== '' ? [{ type: 'text', text: content }] : [];
}

/** The block before its first delta. */
function emptied(block: Block): Block {
  switch (block.type) {
    case 'text':
      return { type: 'text', text: '' };
    case 'reasoning':
      return { type: 'reasoning', reasoning: '' };
    case 'tool_call':
    case 'tool_call_chunk': {
      const { id, name } = block;
      return {
        type: 'tool_call_chunk',
        ...(id !== undefined && { id }),
        ...(name !== undefined && { name }),
        args: '',
      };
    }
    default:
      return block;
  }
}

/** All of the block at once; undefined where it is empty, or its kind has no deltas. */
function wholeDelta(block: Block, index: number): ContentBlockDelta | undefined {
  const { type, text, reasoning } = block;
  if (type === 'text') return text ? { type: 'text-delta', text: text as string } : undefined;
  if (type === 'reasoning') return reasoning ? { type: 'reasoning-delta', reasoning: reasoning as string } : undefined;
  if (type === 'tool_call_chunk') return { type: 'block-delta', fields: { ...block, index, type } };
  return undefined;
}
