import { z } from 'zod';
import { flag, identifier, jsonObject, limit, offset, select, storableText } from './common.js';

const filter = {
  metadata: jsonObject.nullish(),
  graph_id: storableText.nullish(),
  /** Part of the name, in any case. */
  name: storableText.nullish(),
};

export const assistantCount = z.object(filter).transform((body) => ({
  metadata: body.metadata ?? undefined,
  graphId: body.graph_id ?? undefined,
  name: body.name ?? undefined,
}));

export const assistantSearch = z
  .object({
    ...filter,
    limit,
    offset,
    sort_by: z.enum(['assistant_id', 'graph_id', 'name', 'created_at', 'updated_at']).nullish(),
    sort_order: z.enum(['asc', 'desc']).nullish(),
    select,
  })
  .transform((body) => ({
    metadata: body.metadata ?? undefined,
    graphId: body.graph_id ?? undefined,
    name: body.name ?? undefined,
    limit: body.limit,
    offset: body.offset,
    sortBy: body.sort_by ?? 'created_at',
    sortOrder: body.sort_order ?? 'desc',
    select: body.select,
  }));

export const assistantParams = z
  .object({ assistant_id: identifier })
  .transform((path) => ({ assistantId: path.assistant_id }));

/** `xray`: draw the graphs inside nodes; a flag, or how many levels deep. */
export const graphQuery = z
  .object({
    xray: z
      .union(
        [
          z
            .string()
            .regex(/^([2-9]|[1-9]\d)$/)
            .transform(Number),
          flag,
        ],
        { error: 'Expected true, false, or how many levels (at most 99)' },
      )
      .optional(),
  })
  .transform((query) => ({ xray: query.xray ?? false }));
