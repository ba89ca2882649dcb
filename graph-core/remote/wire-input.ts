// What a call sends as its input.
import { BaseMessage } from '@langchain/core/messages';
import type { Command } from '../command.js';

/** Messages become the plain form that every server takes; what has a JSON form of its own is left to it. */
export function toWireInput(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(toWireInput);
  if (BaseMessage.isInstance(value)) return { ...value.toDict().data, role: value.getType() };
  if (typeof (value as { toJSON?: unknown }).toJSON === 'function') return value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, toWireInput(entry)]));
}

export function toWireCommand(command: Command): object {
  return { ...command.toJSON(), update: toWireInput(command.update) };
}
