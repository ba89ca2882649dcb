import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { readSettings, readTemporalAccess, settingsCatalogue } from '../../processes/settings.js';

const documented = readFileSync('docs/reference/settings.md', 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .map((line) => line.slice(1, -1).split('|'))
  .map((cells) => cells.map((cell) => cell.trim().replaceAll('`', '')));

describe('docs/reference/settings.md', () => {
  test('lists every setting of the code as the code has it, and no other', () => {
    const inCode = Object.values(settingsCatalogue).map(({ name, default: fallback, unit, meaning }) => [
      name,
      fallback,
      unit,
      meaning,
    ]);
    expect(documented).toEqual(inCode);
  });

  test('states the default that an empty environment gives', () => {
    const settings = readSettings({});
    for (const [key, { name, default: fallback }] of Object.entries(settingsCatalogue)) {
      const value = settings[key as keyof typeof settings];
      const inWords = fallback.startsWith('(');
      expect([name, value === undefined ? 'in words' : String(value)]).toEqual([name, inWords ? 'in words' : fallback]);
    }
  });
});

describe('readSettings', () => {
  test('takes values from the environment and converts them', () => {
    const settings = readSettings({
      PORT: '8080',
      SUPERSTEP_ALLOW_OPEN: '1',
      LOG_LEVEL: 'DEBUG',
      N_JOBS_PER_WORKER: ' 4 ',
    });
    expect(settings).toMatchObject({ port: 8080, allowOpen: true, logLevel: 'debug', jobsPerWorker: 4 });
  });

  test('an empty variable counts as unset', () => {
    expect(readSettings({ HOST: '', PORT: '', SUPERSTEP_API_KEY: '' })).toEqual(readSettings({}));
  });

  test('names every variable that cannot be used, in one message', () => {
    const read = () => readSettings({ PORT: 'http', SUPERSTEP_STEP_ATTEMPTS: '0', SUPERSTEP_ALLOW_OPEN: 'perhaps' });
    expect(read).toThrow(/PORT=http: .*\n.*SUPERSTEP_ALLOW_OPEN=perhaps: .*\n.*SUPERSTEP_STEP_ATTEMPTS=0: /);
  });

  test('does not repeat a database URL, which may hold a password', () => {
    expect(() => readSettings({ DATABASE_URL: 'mysql://root:secret@db' })).toThrow(/DATABASE_URL: expected a postgres/);
    expect(() => readSettings({ DATABASE_URL: 'mysql://root:secret@db' })).not.toThrow(/secret/);
  });
});

describe('readTemporalAccess', () => {
  const nowhere = { TEMPORAL_CONFIG_FILE: join(tmpdir(), 'no-such-temporal.toml') };

  test('has no address where none is given', () => {
    expect(readTemporalAccess(nowhere).connectionOptions.address).toBeUndefined();
  });

  test("reads Temporal's variables", () => {
    const access = readTemporalAccess({ ...nowhere, TEMPORAL_ADDRESS: 'temporal:7233', TEMPORAL_NAMESPACE: 'graphs' });
    expect(access).toMatchObject({ namespace: 'graphs', connectionOptions: { address: 'temporal:7233' } });
  });

  test('reads a profile of a temporal.toml, and says so when it is broken', () => {
    const file = join(mkdtempSync(join(tmpdir(), 'superstep-toml-')), 'temporal.toml');
    writeFileSync(file, '[profile.staging]\naddress = "staging:7233"\n');
    const environment = { TEMPORAL_CONFIG_FILE: file, TEMPORAL_PROFILE: 'staging' };
    expect(readTemporalAccess(environment).connectionOptions.address).toBe('staging:7233');
    writeFileSync(file, '[profile.staging\n');
    expect(() => readTemporalAccess(environment)).toThrow(/Temporal's environment configuration cannot be used/);
  });
});
