import { describe, expect, test } from '@jest/globals';
import type { ProgressEntry } from '../../../events/entry.js';
import { cursorOfEnvelopeId, envelopeOf, heartbeatEnvelope } from '../../../events/projections/monitoring.js';

const run = { runId: 'r', threadId: 't' };

describe('monitoring envelopes', () => {
  test('give an entry its id, its time and its run', () => {
    const started: ProgressEntry = { seq: 4, at: 0, event: 'node.started', json: '{"node":"a"}' };
    expect(envelopeOf(started, run)).toEqual({
      id: 'r:4',
      version: 1,
      type: 'node.started',
      run_id: 'r',
      thread_id: 't',
      seq: 4,
      occurred_at: '1970-01-01T00:00:00.000Z',
      payload: { node: 'a' },
    });
  });

  test('of heartbeats repeat the last seq', () => {
    expect(heartbeatEnvelope(4, 0, run)).toMatchObject({ id: 'r:4', type: 'heartbeat', seq: 4, payload: {} });
  });

  test('have ids that are cursors', () => {
    expect(cursorOfEnvelopeId('r:4', 'r')).toEqual({ kind: 'seq', after: 4 });
    expect(cursorOfEnvelopeId('-1', 'r')).toEqual({ kind: 'seq', after: -1 });
    expect(cursorOfEnvelopeId('12', 'r')).toEqual({ kind: 'seq', after: 12 });
    for (const id of ['other:4', 'r:', 'r:x', '', '1e3', '4.5']) expect(cursorOfEnvelopeId(id, 'r')).toBeUndefined();
  });
});
