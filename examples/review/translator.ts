// English to German, as far as a small dictionary goes. What it does not know stays in [brackets]: a draft that a person
// has good reason to look at.
import { HumanMessage, SystemMessage, type BaseMessage } from '@langchain/core/messages';
import type { Script } from '../models/scripted-chat-model.js';

const DICTIONARY: Readonly<Record<string, string>> = {
  a: 'ein',
  and: 'und',
  arrives: 'kommt an',
  at: 'um',
  captain: 'Kapitän',
  cold: 'kalt',
  day: 'Tag',
  every: 'jeden',
  from: 'von',
  good: 'gut',
  harbour: 'Hafen',
  here: 'hier',
  in: 'in',
  is: 'ist',
  leaves: 'fährt ab',
  morning: 'Morgen',
  night: 'Nacht',
  not: 'nicht',
  of: 'von',
  on: 'auf',
  ship: 'Schiff',
  the: 'das',
  to: 'nach',
  today: 'heute',
  tomorrow: 'morgen',
  tonight: 'heute Abend',
  water: 'Wasser',
  we: 'wir',
  wind: 'Wind',
  with: 'mit',
};

export const translationPrompt = (text: string): BaseMessage[] => [
  new SystemMessage('Translate the text of the user into German. Answer with the translation alone.'),
  new HumanMessage(text),
];

export const translationScript: Script = (messages) => {
  const text = messages.at(-1)?.text ?? '';
  const draft = text.replace(/\p{L}+/gu, (word) => {
    const found = DICTIONARY[word.toLowerCase()];
    if (found === undefined) return `[${word}]`;
    return /^\p{Lu}/u.test(word) ? found.charAt(0).toUpperCase() + found.slice(1) : found;
  });
  return { text: draft };
};
