import { z } from 'zod';
import { checkpointAddress, flag, identifier, json, jsonObject, limit } from './common.js';

export const stateAt = z
  .object({ checkpoint: checkpointAddress.nullish(), subgraphs: flag.nullish() })
  .transform((body) => ({ checkpoint: body.checkpoint ?? {}, subgraphs: body.subgraphs ?? false }));

export const stateAtParams = z
  .object({ thread_id: z.uuid(), checkpoint_id: z.uuid() })
  .transform((path) => ({ threadId: path.thread_id.toLowerCase(), checkpointId: path.checkpoint_id }));

export const stateUpdate = z
  .object({
    values: json.nullish(),
    as_node: z.string().min(1).nullish(),
    checkpoint: checkpointAddress.nullish(),
    checkpoint_id: identifier.nullish(),
  })
  .transform((body) => ({
    values: body.values ?? null,
    asNode: body.as_node ?? undefined,
    checkpoint: { ...body.checkpoint, ...(body.checkpoint_id != null && { checkpoint_id: body.checkpoint_id }) },
  }));

/** A checkpoint id, or a config or checkpoint that names one: clients send all three. */
const before = z
  .union(
    [
      identifier,
      z
        .object({ configurable: z.object({ checkpoint_id: identifier }) })
        .transform((config) => config.configurable.checkpoint_id),
      z.object({ checkpoint_id: identifier }).transform((checkpoint) => checkpoint.checkpoint_id),
    ],
    { error: 'Expected the id of a checkpoint, or an object that has it as checkpoint_id' },
  )
  .nullish();

export const historyQuery = z
  .object({ limit, before: identifier.optional() })
  .transform((query) => ({ limit: query.limit, before: query.before, metadata: undefined, checkpoint: {} }));

export const historySearch = z
  .object({ limit, before, metadata: jsonObject.nullish(), checkpoint: checkpointAddress.nullish() })
  .transform((body) => ({
    limit: body.limit,
    before: body.before ?? undefined,
    metadata: body.metadata ?? undefined,
    checkpoint: body.checkpoint ?? {},
  }));
