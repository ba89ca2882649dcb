// Makes what two libraries produced comparable: ids and times become ordinals, instances become plain data.
import { isBaseMessage } from '@langchain/core/messages';

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
/** Of `deepagents`, at random. */
const SESSION_ID = /\bsession_[0-9a-f]{8}\b/g;
const INTERRUPT_ID = /(?<![0-9a-f])[0-9a-f]{32}(?![0-9a-f])/g;
const NIL_UUID = '00000000-0000-0000-0000-000000000000';
/** LangChain takes the reason of an abort for an error only if it is of its own realm, and jest's is another. */
const ABORTED = /^(This operation was aborted|Aborted)$/;
const ISO_TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g;

/** The error of a task that was told to stop. */
export const isAborted = (error: unknown): boolean =>
  ABORTED.test(String((error as { readonly message?: unknown } | null | undefined)?.message));

/** A text in which all ids are alike, and all times. */
export const masked = (text: string): string => normalizer().peek(text);

export const normalize = (value: unknown): unknown => normalizer()(value);

export interface Normalizer {
  (value: unknown): unknown;
  /** A text in which ids that were met have their ordinals, and all others, and times, are alike. */
  peek(text: string): string;
}

/**
 * Equal ids get equal ordinals, in the order in which they are first met, over all values that one normalizer is given.
 * Key order does not matter, array order does.
 */
export function normalizer(): Normalizer {
  const ordinals = new Map<string, string>();
  const ordinal = (id: string): string => {
    if (id === NIL_UUID) return id;
    const known = ordinals.get(id) ?? `#${ordinals.size + 1}`;
    ordinals.set(id, known);
    return known;
  };
  const known = (id: string): string => ordinals.get(id) ?? '#';
  const replaced = (text: string, by: (id: string) => string): string =>
    [UUID, SESSION_ID, INTERRUPT_ID].reduce((plain, id) => plain.replace(id, by), text).replace(ISO_TIME, '<time>');
  return Object.assign(
    plainWith((text) => replaced(text, ordinal)),
    { peek: (text: string) => replaced(text, known) },
  );
}

/** Plain data with its ids and times as they are: what is left of an instance once it has been JSON. */
export const plainData = plainWith((text) => text);

function plainWith(plainString: (text: string) => string): (value: unknown) => unknown {
  const plain = (item: unknown, above: readonly unknown[]): unknown => {
    if (typeof item === 'string') return plainString(item);
    if (typeof item === 'function') return '<function>';
    if (typeof item !== 'object' || item === null) return item;
    if (above.includes(item)) return '<circular>';
    const within = [...above, item];
    if (Array.isArray(item)) return item.map((entry) => plain(entry, within));
    if (item instanceof Set) return { $class: 'Set', values: plain([...item], within) };
    if (item instanceof Map) return { $class: 'Map', entries: plain([...item], within) };
    if (item instanceof AbortSignal) return '<signal>';
    if (isAborted(item)) return '<aborted>';
    if (item instanceof Error) return plainError(item, within);
    if (isBaseMessage(item)) return { $class: item.constructor.name, ...(plain(item.toDict(), within) as object) };
    const prototype: unknown = Object.getPrototypeOf(item);
    const isPlain = prototype === Object.prototype || prototype === null;
    return { ...(isPlain ? {} : { $class: className(item) }), ...(plainFields(item, within) as object) };
  };
  const plainFields = (item: object, above: readonly unknown[]): unknown =>
    Object.fromEntries(
      Object.entries(item)
        .filter(([key, entry]) => entry !== undefined && !isProcessKey(key))
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([key, entry]) => [plainString(key), plain(entry, above)]),
    );
  const plainError = (error: Error, above: readonly unknown[]): unknown => ({
    $error: error.name,
    message: plainString(error.message),
    code: (error as { lc_error_code?: string }).lc_error_code,
    ...('interrupts' in error ? { interrupts: plain(error.interrupts, above) } : {}),
    ...(error instanceof AggregateError ? { errors: plain(error.errors, above) } : {}),
  });

  return (value) => plain(value, []);
}

/**
 * LangGraph leaks handlers and task internals of the process into chunks and errors; they are not of the run. A graph's
 * `run_name` is one of them: it is there where nobody listens to callbacks.
 */
const isProcessKey = (key: string): boolean =>
  key === 'callbacks' ||
  key === 'run_name' ||
  key === 'pregelTaskId' ||
  (key.startsWith('__pregel_') && key !== '__pregel_tasks');

/** Our classes carry LangGraph's names as data, since class names do not survive minification. */
const className = (item: object): string =>
  (item as { lg_name?: string }).lg_name ?? (item as { lc_graph_name?: string }).lc_graph_name ?? item.constructor.name;
