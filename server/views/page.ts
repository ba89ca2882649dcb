// Lists: pagination headers as the Platform sets them, and `select`.
import type { Response } from 'express';

export interface Page {
  readonly limit: number;
  readonly offset: number;
}

/** Ask storage for one row more than the page: that it exists is all a client needs to know. */
export const withOneMore = <Search extends Page>(search: Search): Search => ({ ...search, limit: search.limit + 1 });

/** Takes the extra row away again and says in the headers whether there was one. */
export function paginate<Row>(res: Response, rows: readonly Row[], { limit, offset }: Page): readonly Row[] {
  const page = rows.slice(0, limit);
  const end = offset + page.length;
  if (rows.length > limit) res.set('X-Pagination-Next', String(end));
  res.set('X-Pagination-Total', String(rows.length > limit ? end + 1 : end));
  return page;
}

export const selectFields = (view: object, select: readonly string[] | undefined): object =>
  select === undefined ? view : Object.fromEntries(Object.entries(view).filter(([key]) => select.includes(key)));
