// Words as the search and the scripts compare them: lower case, common endings off, function words left out.

const FUNCTION_WORDS = new Set(
  `a about after all also an and any are as at be because been before but by can could did do does for from had has have
  help how i if in into is it its many may more most much of on one or other over so some such than that the their them
  then there they this to two was we were what when where which while who why will with work would you your`.split(
    /\s+/,
  ),
);

export const terms = (text: string): readonly string[] =>
  (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => !FUNCTION_WORDS.has(word)).map(stem);

/** Light enough to be predictable: plural and verb endings. */
function stem(word: string): string {
  for (const [ending, replacement] of [
    ['ies', 'y'],
    ['sses', 'ss'],
    ['ing', ''],
    ['ed', ''],
    ['es', 'e'],
    ['s', ''],
  ] as const) {
    if (!word.endsWith(ending) || word.length - ending.length < 3 || word.endsWith('ss')) continue;
    return trimmed(word.slice(0, -ending.length) + replacement);
  }
  return trimmed(word);
}

const trimmed = (word: string): string => (word.length > 3 && word.endsWith('e') ? word.slice(0, -1) : word);
