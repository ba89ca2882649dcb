// What progress views may see. Each type has its list of fields and a bound for each; whatever else a fact holds stays
// here. Texts are searched for secrets before they are cut. No field is an estimate: `node.progress` is what the node
// itself reported by its custom writer.
import type { ProgressEvent } from './entry.js';
import { isSecretKey, redactText, REDACTED } from './redaction.js';

/** Names of nodes, graphs, error classes; ids. */
const MAX_NAME_LENGTH = 200;
/** Messages of errors, summaries of questions, and each text of a report. */
export const MAX_TEXT_LENGTH = 300;
/** Fields of a report. */
export const MAX_REPORT_KEYS = 20;
/** Interrupts and next nodes of a pause. */
export const MAX_LISTED = 20;

/** What the writer knows when it makes a progress entry. `task_id` tells several tasks of one node apart. */
export interface ProgressFacts {
  readonly 'run.started': { readonly graph_id: string; readonly assistant_id: string };
  readonly 'node.started': TaskFacts & { readonly attempt: number };
  readonly 'node.progress': Partial<TaskFacts> & { readonly report: unknown };
  /** `attempt`: the one that failed. `delay_ms`: until the next. */
  readonly 'node.retrying': NodeFacts & {
    readonly attempt: number;
    readonly delay_ms?: number;
    readonly message?: string;
  };
  readonly 'node.completed': TaskFacts;
  readonly 'node.failed': NodeFacts & { readonly error: string; readonly message: string };
  readonly 'run.paused': {
    readonly pause: number;
    readonly interrupts: readonly { readonly id: string; readonly node: string; readonly summary: string }[];
    readonly next: readonly string[];
  };
  readonly 'run.resumed': { readonly pause: number };
  readonly 'run.completed': Readonly<Record<string, never>>;
  readonly 'run.failed': {
    readonly error: string;
    readonly message: string;
    readonly node?: string;
    readonly status?: 'error' | 'timeout';
  };
  readonly 'run.cancelled': { readonly reason: 'interrupted' | 'rolled_back' | 'superseded' | 'drained' };
}
interface NodeFacts {
  readonly node: string;
  readonly task_id?: string;
}
interface TaskFacts {
  readonly node: string;
  readonly task_id: string;
}

type Field = (value: unknown) => unknown;

const name: Field = (value) => (typeof value === 'string' ? boundedText(value, MAX_NAME_LENGTH) : undefined);
const text: Field = (value) => (typeof value === 'string' ? boundedText(value, MAX_TEXT_LENGTH) : undefined);
const number: Field = (value) => (typeof value === 'number' && Number.isFinite(value) ? value : undefined);
const names: Field = (value) => (Array.isArray(value) ? value.slice(0, MAX_LISTED).map(name) : undefined);
const interrupts: Field = (value) =>
  Array.isArray(value)
    ? value.slice(0, MAX_LISTED).map((item) => pick({ id: name, node: name, summary: text }, item))
    : undefined;
const report: Field = (value) => boundedReport(value);

const FIELDS: { readonly [Event in ProgressEvent]: { readonly [F in keyof ProgressFacts[Event]]-?: Field } } = {
  'run.started': { graph_id: name, assistant_id: name },
  'node.started': { node: name, task_id: name, attempt: number },
  'node.progress': { node: name, task_id: name, report },
  'node.retrying': { node: name, task_id: name, attempt: number, delay_ms: number, message: text },
  'node.completed': { node: name, task_id: name },
  'node.failed': { node: name, task_id: name, error: name, message: text },
  'run.paused': { pause: number, interrupts, next: names },
  'run.resumed': { pause: number },
  'run.completed': {},
  'run.failed': { error: name, message: text, node: name, status: name },
  'run.cancelled': { reason: name },
};

/** The payload of an envelope: the type's fields that are there, bounded and redacted. */
export function progressPayload<Event extends ProgressEvent>(
  event: Event,
  facts: ProgressFacts[Event],
): Readonly<Record<string, unknown>> {
  return pick(FIELDS[event], facts);
}

/** A question or answer as one line for people: at most {@link MAX_TEXT_LENGTH} characters, secrets redacted. */
export function summaryOf(value: unknown): string {
  if (typeof value === 'string') return boundedText(value, MAX_TEXT_LENGTH);
  const json = JSON.stringify(value, (key, item: unknown) => {
    if (typeof item === 'bigint') return String(item);
    return isSecretKey(key, item) ? REDACTED : item;
  });
  return boundedText(json ?? String(value), MAX_TEXT_LENGTH);
}

/**
 * A report of the custom writer: text, a number, a boolean, or an object's fields of these kinds. Nested values are left
 * out; `undefined` when nothing remains.
 */
function boundedReport(value: unknown): unknown {
  if (!isRecord(value)) return scalar(value);
  const kept: Record<string, unknown> = {};
  let count = 0;
  for (const [key, item] of Object.entries(value)) {
    if (count === MAX_REPORT_KEYS) break;
    const shown = isSecretKey(key, item) ? REDACTED : scalar(item);
    if (shown === undefined) continue;
    kept[boundedText(key, MAX_NAME_LENGTH)] = shown;
    count += 1;
  }
  return count === 0 ? undefined : kept;
}

function scalar(value: unknown): unknown {
  if (typeof value === 'boolean' || value === null) return value;
  return text(value) ?? number(value);
}

function pick(fields: Readonly<Record<string, Field>>, facts: unknown): Record<string, unknown> {
  const kept: Record<string, unknown> = {};
  if (!isRecord(facts)) return kept;
  for (const [key, field] of Object.entries(fields)) {
    const value = field(facts[key]);
    if (value !== undefined) kept[key] = value;
  }
  return kept;
}

function boundedText(value: string, length: number): string {
  // Looks a good way past the cut, so that a secret that begins before it is seen whole; further is never shown.
  const clean = redactText(value.slice(0, length * 16));
  if (clean.length <= length) return clean;
  const cut = clean.slice(0, length - 1);
  return `${/[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut}…`;
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
