// The page that the benches write their tables to.
import { readFileSync, writeFileSync } from 'node:fs';
import { arch, cpus, platform } from 'node:os';
import { join } from 'node:path';

const page = join(import.meta.dirname, 'README.md');

/** Day and machine of a run. */
export const machine = (): string =>
  `${new Date().toISOString().slice(0, 10)}, ${cpus().length} × ${cpus()[0]?.model.trim() ?? 'unknown CPU'}, ` +
  `${platform()} ${arch()}, Node ${process.versions.node}`;

/** @param name of the table's two marks, `<!-- name -->` and `<!-- end of name -->`. */
export function writeTable(name: string, text: string): void {
  const [head = '', rest = ''] = readFileSync(page, 'utf8').split(`<!-- ${name} -->`);
  const tail = rest.split(`<!-- end of ${name} -->`)[1] ?? '';
  writeFileSync(page, `${head}<!-- ${name} -->\n\n${text}\n<!-- end of ${name} -->${tail}`);
}
