// A project outside of this repository, loaded by a process of its own.
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll } from '@jest/globals';

const run = promisify(execFile);

export interface Loaded {
  readonly names: string[];
  readonly failures: Record<string, string>;
  readonly results: Record<string, unknown>;
  readonly env: Record<string, string>;
  readonly refused?: string;
}

/** By path; an object is written as JSON. */
export type ProjectFiles = Readonly<Record<string, string | object>>;

export interface LoadOptions {
  /** Given to every graph, in the order of the config. */
  readonly input?: object;
  readonly env?: Readonly<Record<string, string>>;
  /** Path of the langgraph.json in the project. */
  readonly config?: string;
  /** What else the project has: called with its folder. */
  readonly prepare?: (folder: string) => void;
}

const folders: string[] = [];
afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true })));

/** Makes the project and loads its langgraph.json. */
export async function loadProject(
  files: ProjectFiles,
  { input, env = {}, config = 'langgraph.json', prepare }: LoadOptions = {},
): Promise<Loaded> {
  const project = mkdtempSync(join(tmpdir(), 'superstep-project-'));
  folders.push(project);
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(project, name)), { recursive: true });
    writeFileSync(join(project, name), typeof content === 'string' ? content : JSON.stringify(content));
  }
  prepare?.(project);
  const script = join('tests', 'fixtures', 'processes', 'load-graphs.ts');
  const args = ['--import', 'tsx', script, join(project, config), ...(input ? [JSON.stringify(input)] : [])];
  const { stdout } = await run(process.execPath, args, { env: { PATH: process.env['PATH'], ...env } });
  return JSON.parse(stdout) as Loaded;
}
