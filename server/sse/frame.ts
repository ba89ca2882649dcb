// Server-sent events as text.

export interface SseFrame {
  readonly event: string;
  /** JSON text. */
  readonly data: string;
  readonly id?: string;
}

/**
 * A comment and one newline, no blank line: a blank line after an id makes some decoders dispatch an empty event.
 */
export const HEARTBEAT = ': heartbeat\n';

const LINE_BREAK = /[\r\n]/;

/** @throws Error when `event` or `id` holds a line break or `id` a NUL: it would end the field, and the rest would be read as fields. */
export function encodeFrame({ event, data, id }: SseFrame): string {
  if (LINE_BREAK.test(event)) throw new Error(`A line break in the event name ${JSON.stringify(event)}.`);
  if (id !== undefined && (LINE_BREAK.test(id) || id.includes('\0'))) {
    throw new Error(`A line break or NUL in the event id ${JSON.stringify(id)}.`);
  }
  const lines = LINE_BREAK.test(data) ? data.split(/\r\n|\r|\n/).join('\ndata: ') : data;
  return `event: ${event}\ndata: ${lines}\n${id === undefined ? '' : `id: ${id}\n`}\n`;
}
