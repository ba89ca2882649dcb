import { z } from 'zod';
import { flag, jsonObject, limit, offset, select } from './common.js';

export const threadCreate = z
  .object({
    thread_id: z.uuid().nullish(),
    metadata: jsonObject.nullish(),
    if_exists: z.enum(['raise', 'do_nothing']).nullish(),
    supersteps: z.array(z.unknown()).nullish(),
  })
  .transform((body) => ({
    threadId: body.thread_id?.toLowerCase(),
    metadata: body.metadata ?? {},
    ifExists: body.if_exists ?? 'raise',
    supersteps: body.supersteps ?? [],
  }));

export const threadPatch = z
  .object({ metadata: jsonObject.nullish() })
  .transform((body) => ({ metadata: body.metadata ?? {} }));

const filter = {
  metadata: jsonObject.nullish(),
  values: jsonObject.nullish(),
  status: z.enum(['idle', 'busy', 'interrupted', 'error']).nullish(),
  ids: z.array(z.uuid()).nullish(),
};

export const threadCount = z.object(filter).transform((body) => ({
  metadata: body.metadata ?? undefined,
  values: body.values ?? undefined,
  status: body.status ?? undefined,
  ids: body.ids ?? undefined,
}));

export const threadSearch = z
  .object({
    ...filter,
    limit,
    offset,
    sort_by: z.enum(['thread_id', 'status', 'created_at', 'updated_at']).nullish(),
    sort_order: z.enum(['asc', 'desc']).nullish(),
    select,
  })
  .transform((body) => ({
    metadata: body.metadata ?? undefined,
    values: body.values ?? undefined,
    status: body.status ?? undefined,
    ids: body.ids ?? undefined,
    limit: body.limit,
    offset: body.offset,
    sortBy: body.sort_by ?? 'created_at',
    sortOrder: body.sort_order ?? 'desc',
    select: body.select,
  }));

export const subgraphsQuery = z
  .object({ subgraphs: flag.optional() })
  .transform((query) => ({ subgraphs: query.subgraphs ?? false }));
