// Log lines of the processes: readable ones for a person at a terminal, one JSON object a line for everything else.

const levels = ['debug', 'info', 'warn', 'error'] as const;
export type LogLevel = (typeof levels)[number];
export const logLevels: readonly LogLevel[] = levels;

type LogFields = Readonly<Record<string, unknown>>;
export type Log = Readonly<Record<LogLevel, (message: string, fields?: LogFields) => void>>;

export interface LogOptions {
  /** Lines below this level are dropped. */
  readonly level: LogLevel;
  readonly format: 'text' | 'json';
  /** Receives each line, with its line break. */
  readonly write?: (line: string) => void;
}

export function createLog({ level, format, write = (line) => process.stderr.write(line) }: LogOptions): Log {
  const render = format === 'json' ? jsonLine : textLine;
  const at =
    (lineLevel: LogLevel) =>
    (message: string, fields: LogFields = {}) => {
      if (levels.indexOf(lineLevel) < levels.indexOf(level)) return;
      write(`${render(lineLevel, message, fields)}\n`);
    };
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

function jsonLine(level: LogLevel, message: string, fields: LogFields): string {
  const readable = Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, plain(value)]));
  return JSON.stringify({ ...readable, time: new Date().toISOString(), level, message });
}

function textLine(level: LogLevel, message: string, fields: LogFields): string {
  const time = new Date().toISOString().slice(11, 19);
  const mark = level === 'info' ? '' : `${level.toUpperCase()} `;
  const details = Object.entries(fields).map(([name, value]) => ` ${name}=${inline(value)}`);
  return `${time} ${mark}${message}${details.join('')}`;
}

/** JSON writes an Error as `{}` and refuses a bigint. */
function plain(value: unknown): unknown {
  if (value instanceof Error) return value.stack ?? value.message;
  return typeof value === 'bigint' ? value.toString() : value;
}

function inline(value: unknown): string {
  const readable = plain(value);
  return typeof readable === 'string' ? readable : JSON.stringify(readable);
}
