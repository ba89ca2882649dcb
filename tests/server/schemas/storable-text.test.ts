import { expect, test } from '@jest/globals';
import type { z } from 'zod';
import { ServiceError } from '../../../server/errors.js';
import { parse } from '../../../server/parse.js';
import { assistantCount, assistantParams, assistantSearch } from '../../../server/schemas/assistants.js';
import { runCreate } from '../../../server/schemas/runs.js';
import { historyQuery, historySearch, stateAt, stateUpdate } from '../../../server/schemas/thread-state.js';
import { threadSearch } from '../../../server/schemas/threads.js';

const NUL = 'a\0b';

test.each<[z.ZodType, unknown, string]>([
  [assistantParams, { assistant_id: NUL }, 'assistant_id'],
  [assistantSearch, { graph_id: NUL }, 'graph_id'],
  [assistantSearch, { name: NUL }, 'name'],
  [assistantCount, { name: NUL }, 'name'],
  [runCreate, { assistant_id: NUL }, 'assistant_id'],
  [runCreate, { assistant_id: 'a', checkpoint_id: NUL }, 'checkpoint_id'],
  [runCreate, { assistant_id: 'a', checkpoint: { checkpoint_id: NUL } }, 'checkpoint.checkpoint_id'],
  [runCreate, { assistant_id: 'a', checkpoint: { checkpoint_ns: NUL } }, 'checkpoint.checkpoint_ns'],
  [
    runCreate,
    { assistant_id: 'a', config: { configurable: { checkpoint_id: NUL } } },
    'config.configurable.checkpoint_id',
  ],
  [stateAt, { checkpoint: { checkpoint_id: NUL } }, 'checkpoint.checkpoint_id'],
  [stateAt, { checkpoint: { checkpoint_map: { inner: NUL } } }, 'checkpoint.checkpoint_map.inner'],
  [stateUpdate, { values: {}, checkpoint_id: NUL }, 'checkpoint_id'],
  [historyQuery, { before: NUL }, 'before'],
  [historySearch, { before: NUL }, 'before'],
  [historySearch, { checkpoint: { checkpoint_ns: NUL } }, 'checkpoint.checkpoint_ns'],
])('NUL in an identifier is refused and its field named (%#)', (schema, request, field) => {
  let error: unknown;
  try {
    parse(schema, request);
  } catch (thrown) {
    error = thrown;
  }
  expect(error).toBeInstanceOf(ServiceError);
  expect(error).toMatchObject({ code: 'INVALID_REQUEST', field });
});

test('NUL in metadata and values is data, which searches can find', () => {
  const search = { metadata: { [NUL]: NUL }, values: { [NUL]: NUL } };
  expect(parse(threadSearch, search)).toMatchObject(search);
});
