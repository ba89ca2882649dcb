import { describe, expect, test } from '@jest/globals';
import { MAX_REPORT_KEYS, MAX_TEXT_LENGTH, progressPayload, summaryOf } from '../../events/progress-payloads.js';
import { redactText } from '../../events/redaction.js';

const report = (value: unknown): unknown => progressPayload('node.progress', { report: value })['report'];

describe('payloads for progress views', () => {
  test('hold the fields of their type and nothing else', () => {
    const facts = { node: 'plan', task_id: 't', attempt: 2, input: { secret: 1 } };
    expect(progressPayload('node.started', facts)).toEqual({ node: 'plan', task_id: 't', attempt: 2 });
  });

  test('leave out a field of the wrong type', () => {
    expect(progressPayload('node.completed', { node: 7, task_id: 't' } as never)).toEqual({ task_id: 't' });
  });

  test('cut long texts, never in the middle of a character', () => {
    const { message } = progressPayload('run.failed', { error: 'E', message: '😀'.repeat(MAX_TEXT_LENGTH) });
    expect(String(message).length).toBeLessThanOrEqual(MAX_TEXT_LENGTH);
    expect(message).toMatch(/^(😀)+…$/u);
  });

  test('bound the questions of a pause', () => {
    const interrupts = Array.from({ length: 50 }, (_, i) => ({
      id: `${i}`,
      node: 'ask',
      summary: 'x'.repeat(1_000),
      value: 'no',
    }));
    const payload = progressPayload('run.paused', { pause: 1, interrupts, next: ['ask'] });
    expect(payload['interrupts']).toHaveLength(20);
    expect((payload['interrupts'] as object[])[0]).toEqual({
      id: '0',
      node: 'ask',
      summary: `${'x'.repeat(MAX_TEXT_LENGTH - 1)}…`,
    });
  });
});

describe('a report of the custom writer', () => {
  test('is text, a number, a boolean or a flat object', () => {
    expect(report('searching')).toBe('searching');
    expect(report(3)).toBe(3);
    expect(report({ found: 3, of: 10, topic: 'x', done: false })).toEqual({
      found: 3,
      of: 10,
      topic: 'x',
      done: false,
    });
  });

  test('loses what is nested, and is nothing when nothing remains', () => {
    expect(report({ found: 3, hits: [1], deep: { a: 1 } })).toEqual({ found: 3 });
    expect(report({ deep: {} })).toBeUndefined();
    expect(report([1, 2])).toBeUndefined();
    expect(report(Number.NaN)).toBeUndefined();
  });

  test('has a bounded number of fields', () => {
    const wide = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`k${i}`, i]));
    expect(Object.keys(report(wide) as object)).toHaveLength(MAX_REPORT_KEYS);
  });

  test('shows no secret by name, and still counts tokens', () => {
    expect(
      report({ password: 'x', apiKey: 'y', access_token: 'z', Authorization: 'q', total_tokens: 512, tokens: 7 }),
    ).toEqual({
      password: '[redacted]',
      apiKey: '[redacted]',
      access_token: '[redacted]',
      Authorization: '[redacted]',
      total_tokens: 512,
      tokens: 7,
    });
  });
});

describe('secrets in texts', () => {
  test.each([
    ['key sk-proj-abcdefghijklmnop1234 used', 'key [redacted] used'],
    ['Authorization: Bearer abcdefgh12345678', 'Authorization: [redacted]'],
    ['jwt eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJl end', 'jwt [redacted] end'],
    ['id AKIAIOSFODNN7EXAMPLE', 'id [redacted]'],
    ['postgres://app:hunter2@db:5432/x', 'postgres://app:[redacted]@db:5432/x'],
    ['connect with password=hunter2; retry', 'connect with password=[redacted]; retry'],
    ['{"api_key": "abc123"}', '{"api_key": "[redacted]"}'],
    ['ghp_abcdefghijklmnopqrstuvwxyz0123', '[redacted]'],
    ['-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----', '[redacted]'],
  ])('%s', (text, clean) => {
    expect(redactText(text)).toBe(clean);
  });

  test('leave ordinary text alone', () => {
    const text =
      'Searched 12 sources about the tokens of a risk-adjusted task-list in 3.2 s; see https://example.org/a:b@c';
    expect(redactText(text)).toBe(text);
  });

  test('are found in the questions of interrupts too', () => {
    expect(summaryOf({ ask: 'ok?', password: 'hunter2', n: 10n })).toBe(
      '{"ask":"ok?","password":"[redacted]","n":"10"}',
    );
  });
});
