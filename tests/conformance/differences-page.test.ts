// The page of differences and the tests that hold them have the same entries, in the same order.
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8');

/** The first column of the tables in a section, without their heads. */
function rows(section: string): string[] {
  const cells = [...section.matchAll(/^\| ([^|]+?) +\|/gm)].map(([, cell = '']) => cell);
  return cells.filter((cell, index) => !/^-+$/.test(cell) && !/^-+$/.test(cells[index + 1] ?? ''));
}

/** What comes before a semicolon: after it a name may say what LangGraph does. */
const names = (file: string): string[] =>
  [...read(file).matchAll(/^test\('([^'\n]+)'/gm)].map(([, name = '']) => name.split('; ')[0] ?? '');

test('each row of the differences page is a deviation that is tested, and the other way round', () => {
  const [, section = ''] = read('../../docs/reference/differences.md').split('## Behaviour');
  const tested = [...names('./deviations.test.ts'), ...names('./functional-deviations.test.ts')];
  expect(rows(section)).toEqual(tested);
});
