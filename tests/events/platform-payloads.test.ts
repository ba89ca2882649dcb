import { describe, expect, test } from '@jest/globals';
import { platformPayload } from '../../events/platform-payloads.js';

const config = {
  configurable: { thread_id: 't', checkpoint_ns: '', checkpoint_id: 'c2', __pregel_read: () => 1 },
  callbacks: [1],
};

describe('payloads in the shapes of the Platform', () => {
  test('a checkpoint shows values, metadata and next', () => {
    expect(
      platformPayload('checkpoints', { config, values: { a: 1 }, metadata: { step: 1 }, next: ['b'], tasks: [] }),
    ).toEqual({
      values: { a: 1 },
      metadata: { step: 1 },
      next: ['b'],
    });
  });

  test('a task that is a graph shows where its state is as `checkpoint`', () => {
    const state = { configurable: { thread_id: 't', checkpoint_ns: 'sub:1' } };
    expect(platformPayload('tasks', { id: '1', name: 'sub', state })).toEqual({
      id: '1',
      name: 'sub',
      checkpoint: { thread_id: 't', checkpoint_id: null, checkpoint_ns: 'sub:1', checkpoint_map: null },
    });
    expect(platformPayload('tasks', { id: '1', name: 'a', result: {} })).toEqual({ id: '1', name: 'a', result: {} });
  });

  test('a debug checkpoint names its checkpoints and hides what is internal', () => {
    const parentConfig = { configurable: { thread_id: 't', checkpoint_id: 'c1' } };
    const payload = { config, parentConfig, values: {}, metadata: {}, next: [], tasks: [] };
    const shown = platformPayload('debug', { type: 'checkpoint', step: 1, timestamp: 'now', payload });
    expect(shown).toEqual({
      type: 'checkpoint',
      step: 1,
      timestamp: 'now',
      payload: {
        config: { configurable: { thread_id: 't', checkpoint_ns: '', checkpoint_id: 'c2' } },
        parent_config: parentConfig,
        checkpoint: { thread_id: 't', checkpoint_id: 'c2', checkpoint_ns: '', checkpoint_map: null },
        parent_checkpoint: { thread_id: 't', checkpoint_id: 'c1', checkpoint_ns: '', checkpoint_map: null },
        values: {},
        metadata: {},
        next: [],
        tasks: [],
      },
    });
    expect(shown).not.toHaveProperty('payload.parentConfig');
  });

  test('the first checkpoint has no parent', () => {
    const shown = platformPayload('debug', { type: 'checkpoint', payload: { config, values: {}, tasks: [] } });
    expect(shown).toMatchObject({ payload: { parent_checkpoint: null } });
  });
});
