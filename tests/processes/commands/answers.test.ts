import { describe, expect, it } from '@jest/globals';
import { resumeValue, type Question } from '../../../processes/commands/answers.js';

const approval = (id: string, ...names: string[]): Question => ({
  id,
  node: 'tools',
  value: { action_requests: names.map((name) => ({ name, args: {} })) },
});

describe('answers of the command line', () => {
  it('decide on every action of the one question', () => {
    const questions = [approval('i', 'delete', 'send')];
    expect(resumeValue(questions, { kind: 'approve' })).toEqual({
      decisions: [{ type: 'approve' }, { type: 'approve' }],
    });
    const rejection = { type: 'reject', message: 'no' };
    expect(resumeValue(questions, { kind: 'reject', reason: 'no' })).toEqual({ decisions: [rejection, rejection] });
  });

  it('are a record by interrupt id where several questions wait', () => {
    const decisions = [{ type: 'approve' }];
    expect(resumeValue([approval('i', 'a'), approval('j', 'b')], { kind: 'approve' })).toEqual({
      i: { decisions },
      j: { decisions },
    });
  });

  it('edit the one action', () => {
    expect(resumeValue([approval('i', 'delete')], { kind: 'edit', args: { path: 'x' } })).toEqual({
      decisions: [{ type: 'edit', edited_action: { name: 'delete', args: { path: 'x' } } }],
    });
    expect(() => resumeValue([approval('i', 'a', 'b')], { kind: 'edit', args: {} })).toThrow('one action, and 2 wait');
  });

  it.each([false, 0, '', [], {}])('may be %j', (value) => {
    expect(resumeValue([], { kind: 'value', value })).toEqual(value);
  });

  it('that do not fit the question are refused', () => {
    expect(() => resumeValue([], { kind: 'value', value: null })).toThrow('null is no answer');
    expect(() => resumeValue([], { kind: 'approve' })).toThrow('breakpoint');
    expect(() => resumeValue([{ node: 'ask', value: 'q' }], { kind: 'approve' })).toThrow('--value');
    const strict: Question = {
      node: 'tools',
      value: {
        action_requests: [{ name: 'a', args: {} }],
        review_configs: [{ action_name: 'a', allowed_decisions: ['approve'] }],
      },
    };
    expect(() => resumeValue([strict], { kind: 'reject', reason: '' })).toThrow(
      'does not take reject; it takes approve',
    );
  });
});
