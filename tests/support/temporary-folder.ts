import { chmodSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Passable by others: as root Postgres runs as another user, and keeps its data elsewhere if it cannot reach this folder. */
export function temporaryFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `superstep-${name}-`));
  chmodSync(folder, 0o711);
  return folder;
}
