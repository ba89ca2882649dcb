import { expect, test } from '@jest/globals';
import { readDynamicConfig } from '../../processes/dynamic-config.js';

test('the dev server gets, as flags, what the Compose set-up mounts', () => {
  expect(readDynamicConfig()).toEqual({
    'history.transferProcessorMaxPollRPS': '2000',
    'history.timerProcessorMaxPollRPS': '500',
    'system.enableActivityEagerExecution': 'true',
    'history.workflowIdReuseMinimalInterval': '"0s"',
  });
});
