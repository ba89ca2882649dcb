// The client has no code of the service's: what both list is compared here.
import { expect, test } from '@jest/globals';
import { PROCESS_EVENT_TYPES } from '../../client/process-records.js';
import { PROGRESS_EVENTS } from '../../events/entry.js';

test('the client knows every progress event of the log, and the heartbeat', () => {
  expect([...PROCESS_EVENT_TYPES].toSorted()).toEqual([...PROGRESS_EVENTS, 'heartbeat'].toSorted());
});
