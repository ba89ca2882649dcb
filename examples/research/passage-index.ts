// Full-text search over the corpus: Okapi BM25 on its paragraphs.
import { readdirSync, readFileSync } from 'node:fs';
import { terms } from './words.js';

export interface Passage {
  /** `<document>#<paragraph>`, from 1. */
  readonly id: string;
  readonly title: string;
  readonly text: string;
}

export interface Hit {
  readonly passage: Passage;
  /** BM25; only its order means something. */
  readonly score: number;
}

// The usual constants: how soon repetition stops to count, and how far long passages are held back.
const K1 = 1.2;
const B = 0.75;
/** Words of the title count as often as those of the text so many times over. */
const TITLE_WEIGHT = 2;

export class PassageIndex {
  readonly #passages: readonly {
    readonly passage: Passage;
    readonly counts: ReadonlyMap<string, number>;
    readonly length: number;
  }[];
  readonly #documentFrequency = new Map<string, number>();
  readonly #averageLength: number;

  constructor(passages: readonly Passage[]) {
    this.#passages = passages.map((passage) => {
      const words = [
        ...terms(passage.text),
        ...Array.from({ length: TITLE_WEIGHT }, () => terms(passage.title)).flat(),
      ];
      const counts = new Map<string, number>();
      for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
      for (const word of counts.keys()) this.#documentFrequency.set(word, (this.#documentFrequency.get(word) ?? 0) + 1);
      return { passage, counts, length: words.length };
    });
    this.#averageLength = this.#passages.reduce((sum, { length }) => sum + length, 0) / Math.max(1, passages.length);
  }

  /** The Markdown files of a folder: a `# title`, then paragraphs. */
  static ofFolder(folder: URL): PassageIndex {
    const names = readdirSync(folder)
      .filter((name) => name.endsWith('.md'))
      .sort();
    return new PassageIndex(
      names.flatMap((name) => passagesOf(name.slice(0, -3), readFileSync(new URL(name, folder), 'utf8'))),
    );
  }

  /** Best first; equal scores in the order of the corpus. */
  search(query: string, limit: number): readonly Hit[] {
    const words = [...new Set(terms(query))];
    return this.#passages
      .map(({ passage, counts, length }) => ({
        passage,
        score: words.reduce((sum, word) => sum + this.#weight(word, counts.get(word) ?? 0, length), 0),
      }))
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score)
      .slice(0, limit);
  }

  #weight(word: string, count: number, length: number): number {
    const found = this.#documentFrequency.get(word) ?? 0;
    const rarity = Math.log(1 + (this.#passages.length - found + 0.5) / (found + 0.5));
    return (rarity * count * (K1 + 1)) / (count + K1 * (1 - B + (B * length) / this.#averageLength));
  }
}

function passagesOf(document: string, markdown: string): readonly Passage[] {
  const [heading = '', ...paragraphs] = markdown.trim().split(/\n\s*\n/);
  const title = heading.replace(/^#\s*/, '');
  return paragraphs.map((text, index) => ({
    id: `${document}#${index + 1}`,
    title,
    text: text.replace(/\s+/g, ' ').trim(),
  }));
}
