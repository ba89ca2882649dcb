// Without a container engine: the stages are laid out in plain folders, and what npm and node run in them is run.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';

/** Two installations and a build. */
const timeoutMs = 1_800_000;
const dockerfile = readFileSync('temporal-docker/Dockerfile', 'utf8').replace(/^#.*\n/gm, '');
const ignored = readFileSync('temporal-docker/Dockerfile.dockerignore', 'utf8').split('\n');
const image = mkdtempSync(join(tmpdir(), 'superstep-image-'));

afterAll(() => rmSync(image, { recursive: true }), 60_000);

interface Instruction {
  readonly keyword: string;
  readonly rest: string;
}

const stages = new Map<string, Instruction[]>();
for (const line of dockerfile.split('\n').filter((text) => text !== '')) {
  const [keyword = '', ...words] = line.split(' ');
  if (keyword === 'FROM') stages.set(words.at(-1) ?? '', []);
  else [...stages.values()].at(-1)?.push({ keyword, rest: words.join(' ') });
}

const folderOf = (stage: string) => join(image, stage);

/** Of a build context: the committed files that .dockerignore leaves in. */
function context(): string[] {
  const files = execFileSync('git', ['ls-files'], { encoding: 'utf8' }).split('\n').filter(Boolean);
  return files.filter((file) => existsSync(file) && !ignored.includes(file.split('/')[0] ?? ''));
}

function copy(stage: string, rest: string): void {
  const words = rest.split(' ');
  const from = words.find((word) => word.startsWith('--from='))?.slice('--from='.length);
  const paths = words.filter((word) => !word.startsWith('--'));
  const target = paths.pop() ?? '';
  const sources = paths[0] === '.' ? context() : paths;
  for (const source of sources) {
    const path = from ? join(folderOf(from), source.replace(/^\/app\//, '')) : source;
    const whole = paths[0] === '.' ? source : target.endsWith('/') ? join(target, basename(source)) : target;
    mkdirSync(dirname(join(folderOf(stage), whole)), { recursive: true });
    cpSync(path, join(folderOf(stage), whole), { recursive: true, verbatimSymlinks: true });
  }
}

function build(stage: string): void {
  mkdirSync(folderOf(stage), { recursive: true });
  for (const { keyword, rest } of stages.get(stage) ?? []) {
    if (keyword === 'COPY') copy(stage, rest);
    if (keyword === 'RUN' && /^(npm|node) /.test(rest)) {
      execFileSync('/bin/sh', ['-c', rest], { cwd: folderOf(stage), stdio: ['ignore', 'ignore', 'inherit'] });
    }
  }
}

describe('the image', () => {
  test('runs as a user who is not root, and copies no secret', () => {
    const service = stages.get('service') ?? [];
    expect(service.filter(({ keyword }) => keyword === 'USER')).toEqual([{ keyword: 'USER', rest: 'node' }]);
    expect(ignored).toEqual(expect.arrayContaining(['.git', '**/.env', 'node_modules']));
  });

  test(
    'is built by its own commands from the committed files, and its entry point answers',
    () => {
      for (const stage of ['build', 'dependencies', 'service']) build(stage);
      const entry = JSON.parse(
        stages.get('service')?.find(({ keyword }) => keyword === 'ENTRYPOINT')?.rest ?? '[]',
      ) as string[];
      const args = entry.slice(1).map((argument) => argument.replace('/app', folderOf('service')));
      const version = execFileSync(process.execPath, [...args, '--version'], {
        encoding: 'utf8',
        cwd: folderOf('service'),
      });
      expect(version.trim()).toMatch(/^\d+\.\d+\.\d+/);
      expect(existsSync(join(folderOf('service'), 'dist', 'workflow-bundle.js'))).toBe(true);
      expect(existsSync(join(folderOf('service'), 'node_modules', 'jest'))).toBe(false);
    },
    timeoutMs,
  );
});
