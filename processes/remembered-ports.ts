// Ports that were free last time: a second start uses the same ones if it can, so that bookmarks stay right.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DataFolder } from './data-folder.js';

const file = (data: DataFolder, name: string) => join(data.path, `${name}.ports.json`);

export function rememberPorts(data: DataFolder, name: string, ports: object): void {
  writeFileSync(file(data, name), JSON.stringify(ports));
}

export function readRememberedPorts<Ports extends object>(data: DataFolder, name: string): Partial<Ports> | undefined {
  try {
    return JSON.parse(readFileSync(file(data, name), 'utf8')) as Partial<Ports>;
  } catch {
    return undefined;
  }
}
