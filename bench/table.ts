/** One line of the result: a figure of ours beside what it is compared with. */
export interface Row {
  readonly what: string;
  readonly unit: string;
  readonly ours: number;
  readonly bare?: number;
  readonly reference?: number;
  /** What is to be reached, in words, and whether it is. */
  readonly target: string;
  readonly reached: boolean;
}

const figure = (value: number | undefined) =>
  value === undefined ? '' : Math.abs(value) >= 100 ? value.toFixed(0) : value.toFixed(1);
const ratio = (ours: number, other: number | undefined) =>
  other === undefined ? '' : `${(ours / other).toFixed(2)} ×`;

export function table(rows: readonly Row[]): string {
  const cells = rows.map(({ what, unit, ours, bare, reference, target, reached }) => [
    `${what} (${unit})`,
    figure(ours),
    figure(bare),
    ratio(ours, bare),
    figure(reference),
    ratio(ours, reference),
    target,
    reached ? 'yes' : '**no**',
  ]);
  const head = ['what', 'superstep', 'bare engine', 'to bare', 'reference', 'to reference', 'target', 'reached'];
  return [head, head.map(() => '---'), ...cells].map((row) => `| ${row.join(' | ')} |`).join('\n');
}
