// What the scripted model says in each role: computed from its prompt, so that it is true of the passages it was shown.
import type { Script } from '../models/scripted-chat-model.js';
import { briefingOf, NOTHING_MISSING, type Briefing } from './prompts.js';
import { terms } from './words.js';

/** Passages that a report quotes for each part of the question. */
const PASSAGES_PER_PART = 3;

/** A query for each part of the question. */
export const planScript: Script = (messages) => {
  const { question } = briefingOf(messages);
  return { text: partsOf(question).join('\n') };
};

/** Asks for the words that no passage has; else for a second source where a part rests on one document. */
export const criticScript: Script = (messages) => {
  const briefing = briefingOf(messages);
  const wanted = [...missingWords(briefing), ...singleSources(briefing)].filter(
    (query) => !briefing.searched.includes(query),
  );
  return { text: wanted.length === 0 ? NOTHING_MISSING : wanted.slice(0, 2).join('\n') };
};

/** Extracts: for each part of the question the passages that share most with it, each with its number. */
export const reportScript: Script = (messages) => {
  const briefing = briefingOf(messages);
  const quoted = new Set<number>();
  const sections = partsOf(briefing.question).map((part) => {
    const chosen = passagesFor(part, briefing).filter(({ number }) => !quoted.has(number));
    for (const { number } of chosen) quoted.add(number);
    const lines = chosen.map(({ text, number }) => `- ${text} [${number}]`);
    return `## ${capitalised(part)}\n\n${lines.length > 0 ? lines.join('\n') : '- The library has nothing more on this.'}`;
  });
  const sources = briefing.passages.map(({ number, title }) => `[${number}] ${title}`);
  const gaps = missingWords(briefing);
  return {
    text: [
      `# ${briefing.question}`,
      ...sections,
      ...(gaps.length > 0 ? [`## Not found\n\nNo passage mentions: ${gaps.join(', ')}.`] : []),
      `## Sources\n\n${sources.join('\n')}`,
    ].join('\n\n'),
  };
};

function partsOf(question: string): readonly string[] {
  const parts = question
    .replace(/[?.!]+\s*$/, '')
    .split(/\s*[,;?]\s*(?:and\s+)?|\s+and\s+(?=how|what|why|when|where|who)/i)
    .filter((part) => terms(part).length > 0);
  return parts.length > 0 ? parts : [question];
}

function missingWords({ question, passages }: Briefing): readonly string[] {
  const found = new Set(passages.flatMap(({ title, text }) => [...terms(title), ...terms(text)]));
  return [...new Set(question.match(/[\p{L}\p{N}]+/gu) ?? [])].filter((word) =>
    terms(word).some((term) => !found.has(term)),
  );
}

function singleSources(briefing: Briefing): readonly string[] {
  return partsOf(briefing.question).flatMap((part) => {
    const [only, ...others] = new Set(passagesFor(part, briefing).map(({ title }) => title));
    return only !== undefined && others.length === 0 ? [only] : [];
  });
}

/** The passages with the most words of the part, those of the title half as much; best first. */
function passagesFor(part: string, { passages }: Briefing): Briefing['passages'] {
  const wanted = new Set(terms(part));
  const shared = (text: string): number => new Set(terms(text).filter((term) => wanted.has(term))).size;
  return passages
    .map((passage) => ({ passage, score: shared(passage.text) + shared(passage.title) / 2 }))
    .filter(({ score }) => score >= 1)
    .sort((a, b) => b.score - a.score)
    .slice(0, PASSAGES_PER_PART)
    .map(({ passage }) => passage);
}

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
