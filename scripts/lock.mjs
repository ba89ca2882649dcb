// One process at a time does the work behind a lock file; the others wait, and then find it done.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const pollMs = 200;

export async function withLock(file, work) {
  mkdirSync(dirname(file), { recursive: true });
  let told = false;
  while (!tryLock(file)) {
    if (!told) console.log(`• Waiting for process ${holder(file) ?? '?'}, which is doing the same (${file}) …`);
    told = true;
    await delay(pollMs);
  }
  try {
    return await work();
  } finally {
    rmSync(file, { force: true });
  }
}

function tryLock(file) {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    const pid = holder(file);
    // Its holder was killed. Two waiters may both see that; the second removal could take the first one's fresh lock,
    // and then both do the work: each piece of it is written aside and renamed, so that is a waste and no harm.
    if (pid !== undefined && !isRunning(pid)) rmSync(file, { force: true });
    return false;
  }
}

function holder(file) {
  try {
    const pid = Number(readFileSync(file, 'utf8'));
    return pid > 0 ? pid : undefined;
  } catch {
    return undefined;
  }
}

function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}
