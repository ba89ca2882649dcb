import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { applyEvent, viewOf } from '../../client/progress.js';
import type { ProcessEvent, ProcessSnapshot } from '../../client/process-records.js';
import { envelopeOf } from '../../events/projections/monitoring.js';
import { progressSnapshot } from '../../events/projections/progress-snapshot.js';

const fresh: ProcessSnapshot = { run_id: 'r', thread_id: 't', status: 'pending', last_seq: -1 };

const event = (seq: number, type: ProcessEvent['type'], payload: object = {}): ProcessEvent => ({
  id: `r:${seq}`,
  version: 1,
  type,
  run_id: 'r',
  thread_id: 't',
  seq,
  occurred_at: '2026-01-01T00:00:00.000Z',
  payload: payload as ProcessEvent['payload'],
});

const task = (node: string, over: object = {}) => ({ node, task_id: `task-${node}`, ...over });

describe('the progress view', () => {
  test('follows a run through its nodes, a pause and its end', () => {
    const events = [
      event(0, 'run.started'),
      event(1, 'node.started', task('plan', { attempt: 1 })),
      event(2, 'node.progress', task('plan', { report: 'thinking' })),
      event(3, 'node.completed', task('plan')),
      event(4, 'node.started', task('ask', { attempt: 1 })),
      event(5, 'run.paused', { pause: 1, interrupts: [{ id: 'i', node: 'ask', summary: 'ok?' }], next: ['ask'] }),
      event(6, 'run.resumed', { pause: 1 }),
      event(7, 'node.started', task('ask', { attempt: 1 })),
      event(8, 'node.completed', task('ask')),
      event(9, 'run.completed'),
    ];
    const after = (count: number) => events.slice(0, count).reduce(applyEvent, viewOf(fresh));
    expect(after(3)).toMatchObject({
      status: 'running',
      current_nodes: [{ node: 'plan', state: 'running', report: 'thinking' }],
    });
    expect(after(6)).toMatchObject({ status: 'paused', current_nodes: [], waiting_for: { interrupts: [{ id: 'i' }] } });
    expect(after(8)).toMatchObject({ status: 'running', waiting_for: null, completed_nodes: ['plan'] });
    expect(after(10)).toMatchObject({
      status: 'success',
      current_nodes: [],
      completed_nodes: ['plan', 'ask'],
      last_seq: 9,
    });
  });

  test('shows a retried node as retrying, then running, then completed', () => {
    const states = [
      event(0, 'node.started', task('b', { attempt: 1 })),
      event(1, 'node.retrying', task('b', { attempt: 1, delay_ms: 500 })),
      event(2, 'node.started', task('b', { attempt: 2 })),
    ];
    const seen = states.map((_, n) => states.slice(0, n + 1).reduce(applyEvent, viewOf(fresh)).current_nodes);
    expect(seen).toMatchObject([
      [{ state: 'running', attempt: 1 }],
      [{ state: 'retrying', attempt: 1 }],
      [{ state: 'running', attempt: 2 }],
    ]);
  });

  test('drops what it has seen, heartbeats of old and events of other runs', () => {
    const view = applyEvent(viewOf(fresh), event(5, 'run.started'));
    expect(applyEvent(view, event(5, 'run.failed'))).toBe(view);
    expect(applyEvent(view, event(3, 'run.completed'))).toBe(view);
    expect(applyEvent(view, event(5, 'heartbeat'))).toBe(view);
    expect(applyEvent(view, { ...event(9, 'run.completed'), run_id: 'other' })).toBe(view);
  });

  test('from a snapshot taken anywhere and the events after it is the view from all events', () => {
    const drafts = fc.array(
      fc.oneof(
        fc
          .record({
            event: fc.constantFrom('node.started', 'node.progress', 'node.retrying', 'node.completed', 'node.failed'),
            node: fc.constantFrom('a', 'b', 'c'),
            id: fc.nat(3),
          })
          .map(({ event: type, node, id }) => ({
            type,
            payload: { node, task_id: `${node}${id}`, attempt: 1, report: id },
          })),
        fc
          .constantFrom('run.started', 'run.paused', 'run.resumed', 'run.completed', 'run.failed', 'run.cancelled')
          .map((type) => ({ type, payload: { error: 'E' } })),
      ),
      { maxLength: 40 },
    );
    fc.assert(
      fc.property(drafts, fc.nat(40), (list, cut) => {
        const entries = list.map(({ type, payload }, seq) => ({
          seq,
          at: 0,
          event: type,
          json: JSON.stringify(payload),
        }));
        const events = entries.map((entry) => envelopeOf(entry, { runId: 'r', threadId: 't' }));
        const uncut = events.reduce(applyEvent, viewOf(fresh));
        const before = events.slice(0, cut).reduce(applyEvent, viewOf(fresh));
        const snapshot = { ...fresh, ...progressSnapshot(entries.slice(0, cut)), status: before.status };
        // All events again, not only those after the snapshot: what it includes is dropped.
        expect(events.reduce(applyEvent, viewOf(snapshot))).toEqual(uncut);
      }),
    );
  });
});
