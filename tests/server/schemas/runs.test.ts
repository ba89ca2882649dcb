import { describe, expect, test } from '@jest/globals';
import { parse } from '../../../server/parse.js';
import { runCancelQuery, runCreate, runResume, runStreamQuery } from '../../../server/schemas/runs.js';
import { ServiceError } from '../../../server/errors.js';
import { historySearch } from '../../../server/schemas/thread-state.js';

const refused = (attempt: () => unknown): ServiceError => {
  try {
    attempt();
  } catch (error) {
    if (error instanceof ServiceError) return error;
    throw error;
  }
  throw new Error('It was accepted.');
};

test.each([
  [{ stream_mode: 7 }, 'stream_mode: Expected a string or a list of strings'],
  [{ interrupt_before: 'node' }, 'interrupt_before: Expected "*" or a list of names of nodes'],
  [{ command: { goto: 7 } }, /^command\.goto: Expected the name of a node, .* or a list of these$/],
  [{ command: { update: 'x' } }, /^command\.update: Expected an object, or a list of pairs/],
])('a field that may be several things says which: %j', (body, message) => {
  expect(refused(() => parse(runCreate, { assistant_id: 'a', ...body })).message).toMatch(message);
});

test.each([[true], [[]], ['5x'], [''], [1.5], [0], [1001]])('a limit of %j is refused by name', (limit) => {
  expect(refused(() => parse(historySearch, { limit })).field).toBe('limit');
});

test('a limit is a number, or one as text, as queries have it', () => {
  expect([undefined, null, 7, '7'].map((limit) => parse(historySearch, { limit }).limit)).toEqual([10, 10, 7, 7]);
});

describe('run-create body', () => {
  test('has the defaults of the protocol', () => {
    expect(parse(runCreate, { assistant_id: 'agent' })).toMatchObject({
      multitaskStrategy: 'enqueue',
      onDisconnect: 'continue',
      ifNotExists: 'reject',
      onCompletion: 'delete',
      streamModes: [],
      afterSeconds: 0,
    });
  });

  test('null means absent for every option, as SDKs send it', () => {
    const body = parse(runCreate, {
      assistant_id: 'agent',
      input: null,
      command: null,
      checkpoint: null,
      config: { recursion_limit: null, tags: null },
      multitask_strategy: null,
      stream_mode: null,
      interrupt_before: null,
    });
    expect(body).toMatchObject({ input: null, command: undefined, config: {}, multitaskStrategy: 'enqueue' });
  });

  test('ignores unknown keys', () => {
    expect(parse(runCreate, { assistant_id: 'agent', strict_resume: true })).not.toHaveProperty('strict_resume');
  });

  test('checkpoint_id and checkpoint are one address', () => {
    expect(
      parse(runCreate, { assistant_id: 'a', checkpoint_id: 'c', checkpoint: { checkpoint_ns: 'n' } }).checkpoint,
    ).toEqual({
      checkpoint_id: 'c',
      checkpoint_ns: 'n',
    });
  });

  test.each([
    [{}, 'assistant_id'],
    [{ assistant_id: 7 }, 'assistant_id'],
    [{ assistant_id: 'a', multitask_strategy: 'both' }, 'multitask_strategy'],
    [{ assistant_id: 'a', config: { recursion_limit: 'many' } }, 'config.recursion_limit'],
    [{ assistant_id: 'a', config: { metadata: 7 } }, 'config.metadata'],
    [{ assistant_id: 'a', config: { run_name: 7 } }, 'config.run_name'],
    [{ assistant_id: 'a', config: { recursion_limit: 0 } }, 'config.recursion_limit'],
    [{ assistant_id: 'a', config: { configurable: [] } }, 'config.configurable'],
    [{ assistant_id: 'a', after_seconds: -1 }, 'after_seconds'],
    [{ assistant_id: 'a', metadata: 'x' }, 'metadata'],
    [{ assistant_id: 'a', on_disconnect: 'explode' }, 'on_disconnect'],
    [[], undefined],
    ['text', undefined],
    [null, undefined],
  ])('refuses %j and names %s', (body, field) => {
    const error = refused(() => parse(runCreate, body));
    expect(error.code).toBe('INVALID_REQUEST');
    expect(error.field).toBe(field);
  });
});

describe('resume body', () => {
  test.each([false, 0, '', [], {}, 'yes', { a: 1 }])('%j is an answer', (answer) => {
    expect(parse(runResume, { resume: answer }).resume).toEqual(answer);
  });

  test.each([{}, { resume: null }])('%j is none', (body) => {
    expect(refused(() => parse(runResume, body)).field).toBe('resume');
  });
});

describe('queries', () => {
  test.each([
    ['0', false],
    ['false', false],
    ['', false],
    ['1', true],
    ['true', true],
  ])('wait=%s means %s', (text, wait) => {
    expect(parse(runCancelQuery, { wait: text })).toEqual({ wait, action: 'interrupt' });
  });

  test('a flag that is neither is refused', () => {
    expect(refused(() => parse(runCancelQuery, { wait: 'maybe' })).field).toBe('wait');
  });

  test.each([[['values', 'updates']], ['["values","updates"]']])('stream_mode may be repeated or JSON: %j', (given) => {
    expect(parse(runStreamQuery, { stream_mode: given }).streamModes).toEqual(['values', 'updates']);
  });
});

describe('history', () => {
  test.each(['id-1', { configurable: { checkpoint_id: 'id-1' } }, { checkpoint_id: 'id-1' }])(
    'before may be %j',
    (before) => {
      expect(parse(historySearch, { before })).toMatchObject({ before: 'id-1', limit: 10 });
    },
  );
});
