import { describe, expect, test } from '@jest/globals';
import { readAppendEvents, readCancel, readResume, readSubmitRun } from '../../workflows/signal-shapes.js';

const OF_NO_USE = ['text', 7, true, [], {}, { runId: 7 }, { value: null }, { pause: '1', value: 'yes' }];

describe('cancel', () => {
  test.each(['interrupt', 'rollback'] as const)('is read with the action %s', (action) => {
    expect(readCancel({ runId: 'a', action }, 'present')).toEqual({ runId: 'a', action });
  });

  test.each([undefined, null])('with %p interrupts the present run', (argument) => {
    expect(readCancel(argument, 'present')).toEqual({ runId: 'present', action: 'interrupt' });
  });

  test.each([...OF_NO_USE, { runId: 'a' }, { action: 'interrupt' }, { runId: 'a', action: 'stop' }])(
    'with %j is of no use',
    (argument) => {
      expect(readCancel(argument, 'present')).toBeUndefined();
    },
  );
});

describe('resume', () => {
  test.each([{ pause: 1 }, { value: false }, { value: 0 }, { value: '' }, { pause: 2, value: { approved: true } }])(
    '%j is read as it is',
    (argument) => {
      expect(readResume(argument)).toEqual(argument);
    },
  );

  test.each([undefined, null, ...OF_NO_USE, { pause: 1, value: null }, { pause: -1 }, { pause: null, value: 'yes' }])(
    'with %j is of no use',
    (argument) => {
      expect(readResume(argument)).toBeUndefined();
    },
  );
});

describe('appendEvents', () => {
  const batch = {
    first: { seq: 0, frame: -1 },
    last: { seq: 3, frame: 2 },
    entries: 4,
    body: { kind: 'inline', deflated: 'eJw=' },
  };

  test.each([batch, { ...batch, body: { kind: 'blob', blobId: 'b' } }])('is read with its batch', (whole) => {
    expect(readAppendEvents({ runId: 'a', batch: whole })).toEqual({ runId: 'a', batch: whole });
  });

  test.each([
    undefined,
    null,
    ...OF_NO_USE,
    { runId: 'a' },
    { runId: 'a', batch: null },
    { runId: 'a', batch: { ...batch, last: undefined } },
    { runId: 'a', batch: { ...batch, first: { seq: '0', frame: 0 } } },
    { runId: 'a', batch: { ...batch, body: { kind: 'blob' } } },
  ])('with %j is of no use', (argument) => {
    expect(readAppendEvents(argument)).toBeUndefined();
  });
});

describe('submitRun', () => {
  const run = { runId: 'a', assistantId: 'b', graphId: 'c', strategy: 'enqueue' };

  test('is read with its run, and the runs before it', () => {
    expect(readSubmitRun({ run })).toEqual({ run, earlier: [] });
    expect(readSubmitRun({ run, earlier: [run] })).toEqual({ run, earlier: [run] });
  });

  test.each([
    undefined,
    null,
    ...OF_NO_USE,
    run,
    { run: { ...run, runId: '' } },
    { run: { ...run, strategy: 'other' } },
    { run, earlier: run },
    { run, earlier: [null] },
  ])('with %j is of no use', (argument) => {
    expect(readSubmitRun(argument)).toBeUndefined();
  });
});
