import { describe, expect, test } from '@jest/globals';
import { answerFault } from '../../server/resume-answer.js';

const [one, two, other] = ['a', 'b', 'c'].map((digit) => digit.repeat(32)) as [string, string, string];

describe('an answer to a pause', () => {
  test.each<[string, Parameters<typeof answerFault>[0], readonly string[]]>([
    ['of one interrupt may be anything', { bogus: 1 }, [one]],
    ['of one interrupt may name it', { [one]: 'A' }, [one]],
    ['of a breakpoint may be anything', true, []],
    ['of several may name some of them', { [one]: 'A' }, [one, two]],
    ['of several may name all of them', { [one]: 'A', [two]: 'B' }, [one, two]],
    ['that names none that waits is for the pause itself to refuse', { [other]: 'C' }, [one, two]],
  ])('%s', (_, answer, waiting) => {
    expect(answerFault(answer, waiting)).toBeUndefined();
  });

  test.each([['yes'], [[]], [{}], [{ bogus: 1 }]])('of several is ambiguous as %j', (answer) => {
    expect(answerFault(answer, [one, two])).toEqual({ kind: 'ambiguous', waiting: [one, two] });
  });

  test('that names a waiting interrupt must name no others, whatever they look like', () => {
    expect(answerFault({ [one]: 'A', bogus: 1, [other]: 'C' }, [one, two])).toEqual({
      kind: 'unknown_interrupt',
      unknown: ['bogus', other],
      waiting: [one, two],
    });
    expect(answerFault({ [one]: 'A', bogus: 1 }, [one])).toMatchObject({ unknown: ['bogus'] });
  });
});
