// Reads what documents promise: their code blocks and links.

export interface CodeBlock {
  readonly language: string;
  /** The second word after the fence: the name of a command block. */
  readonly name: string;
  readonly text: string;
}

/** Fenced blocks, those within list items too. */
export const codeBlocks = (markdown: string): readonly CodeBlock[] =>
  [...markdown.matchAll(/^( *)```(\w*)[ \t]*(\S*)[ \t]*\n([\s\S]*?)^\1```[ \t]*$/gm)].map(
    ([, , language = '', name = '', text = '']) => ({
      language,
      name,
      text: text.trim(),
    }),
  );

/** Shell blocks with a name: what a reader is told to run, and the tests do. */
export const commandBlocks = (markdown: string): readonly CodeBlock[] =>
  codeBlocks(markdown).filter(({ language, name }) => language === 'sh' && name !== '');

/** Targets of links within the repository. */
export const linksOf = (markdown: string): readonly string[] =>
  [...markdown.matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)]
    .map(([, link = '']) => link)
    .filter((link) => !/^[a-z]+:/.test(link));
