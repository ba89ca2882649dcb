// Runs that wait for a week wait across deploys: what was recorded with older workflow code has to replay with today's.
import { beforeAll, expect, jest, test } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { historyFromJSON } from '@temporalio/common/lib/proto-utils.js';
import { Worker } from '@temporalio/worker';
import { packageRoot } from '../../processes/package-root.js';
import { installQuietRuntime, workflowBundle } from '../support/thread-worker.js';

// Real Temporal, on a machine that may be busy.
jest.setTimeout(60_000);

const folder = join(packageRoot, 'tests', 'histories');
const names = readdirSync(folder)
  .filter((name) => name.endsWith('.json'))
  .map((name) => name.replace(/\.json$/, ''));

let code: string;
beforeAll(async () => {
  installQuietRuntime();
  code = await workflowBundle();
}, 60_000);

test('there are histories of every kind of run', () => {
  expect(names).toEqual(
    expect.arrayContaining([
      'plain',
      'interrupted',
      'cancelled',
      'failed',
      'continued-as-new-first',
      'continued-as-new-next-run',
    ]),
  );
});

test.each(names)('%s', async (name) => {
  const history = historyFromJSON(JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')));
  await Worker.runReplayHistory({ workflowBundle: { code } }, history, `thread:${name}`);
});
