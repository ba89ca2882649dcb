// What the three roles are told. The answers asked for are plain lines, which small models manage and scripts can write.
import { HumanMessage, SystemMessage, type BaseMessage } from '@langchain/core/messages';
import type { Passage } from './passage-index.js';

export const NOTHING_MISSING = 'ENOUGH';

export const planPrompt = (question: string): BaseMessage[] => [
  new SystemMessage(
    'You plan research in a small library. Answer with two to four search queries, one a line, that together cover the question. Nothing else.',
  ),
  new HumanMessage(question),
];

export const criticPrompt = (
  question: string,
  searched: readonly string[],
  passages: readonly Passage[],
): BaseMessage[] => [
  new SystemMessage(
    `You check research before a report is written. If the passages cover every part of the question, answer ${NOTHING_MISSING}. ` +
      'Otherwise answer with at most two new search queries, one a line, for what is missing. Nothing else.',
  ),
  new HumanMessage(
    `Question: ${question}\n\nSearched so far:\n${searched.join('\n')}\n\nPassages:\n${numbered(passages)}`,
  ),
];

export const reportPrompt = (question: string, passages: readonly Passage[]): BaseMessage[] => [
  new SystemMessage(
    'You write short reports in Markdown. Use only what the numbered passages say and cite them like [2]. Say plainly what they do not answer.',
  ),
  new HumanMessage(`Question: ${question}\n\nPassages:\n${numbered(passages)}`),
];

/** One query a line; bullets and numbers that models like to add are taken off. */
export const queriesOf = (answer: string): readonly string[] =>
  answer
    .split('\n')
    .map((line) => line.replace(/^\s*(?:[-*•]|\d+[.)])\s*/, '').trim())
    .filter((line) => line !== '' && line !== NOTHING_MISSING);

const numbered = (passages: readonly Passage[]): string =>
  passages.map(({ title, text }, index) => `[${index + 1}] ${title}: ${text}`).join('\n');

export interface Briefing {
  readonly question: string;
  readonly searched: readonly string[];
  readonly passages: readonly { readonly number: number; readonly title: string; readonly text: string }[];
}

/** Reads a prompt back: what a script is told. */
export function briefingOf(messages: readonly BaseMessage[]): Briefing {
  const text = messages.at(-1)?.text ?? '';
  const [, question = text] = /^Question: (.*)$/m.exec(text) ?? [];
  const [, searched = ''] = /^Searched so far:\n([\s\S]*?)\n\n/m.exec(text) ?? [];
  const passages = [...text.matchAll(/^\[(\d+)\] ([^:]+): (.*)$/gm)].map(([, number, title = '', passage = '']) => ({
    number: Number(number),
    title,
    text: passage,
  }));
  return { question, searched: searched.split('\n').filter(Boolean), passages };
}
