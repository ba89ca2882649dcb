// Interrupt ids: XXH3-128 of the asking task's checkpoint namespace, so that the same question has the same id each time
// its node runs again, and another thread's has another.
import { xxh3 } from './xxh3.js';

/** @param answered questions of this task that have been answered before. */
export function interruptId(checkpointNs: string, answered: number): string {
  return xxh3(answered === 0 ? checkpointNs : `${checkpointNs}|${answered}`);
}

const INTERRUPT_ID = /^[0-9a-f]{32}$/;

/** Whether a resume value is a record of answers by interrupt id. An empty record is not told from one. */
export function isResumeMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && Object.keys(value).every((key) => INTERRUPT_ID.test(key));
}
