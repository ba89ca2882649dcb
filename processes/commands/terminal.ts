// Where commands write. Colour only where a person sees it; every line says the same without.

export interface Terminal {
  /** Text as it is, to standard output. */
  write(text: string): void;
  /** A whole line, to standard output. */
  line(text?: string): void;
  /** About the command itself and not the run: to standard error. */
  note(text: string): void;
  readonly style: Readonly<Record<StyleName, (text: string) => string>>;
  /** Columns of the output, where it has any; what is shortened is shortened to it. */
  readonly columns: number;
}

const CODES = {
  dim: [2, 22],
  bold: [1, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
} as const;
type StyleName = keyof typeof CODES;

const DEFAULT_COLUMNS = 100;

interface Output {
  write(text: string): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
}

export function createTerminal(out: Output = process.stdout, err: Output = process.stderr): Terminal {
  const colour = out.isTTY === true && process.env.NO_COLOR === undefined;
  const paint = ([on, off]: readonly [number, number]) =>
    colour ? (text: string) => `\u001b[${on}m${text}\u001b[${off}m` : (text: string) => text;
  const style = Object.fromEntries(Object.entries(CODES).map(([name, codes]) => [name, paint(codes)]));
  return {
    write: (text) => void out.write(text),
    line: (text = '') => void out.write(`${text}\n`),
    note: (text) => void err.write(`${text}\n`),
    style: style as Terminal['style'],
    columns: out.columns ?? DEFAULT_COLUMNS,
  };
}

/** One line of at most `width` characters. */
function shorten(text: string, width: number): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= width ? line : `${line.slice(0, Math.max(0, width - 1))}…`;
}

export const inline = (value: unknown, width: number): string =>
  shorten(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''), width);

/** Columns padded to their widest cell. */
export function table(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
