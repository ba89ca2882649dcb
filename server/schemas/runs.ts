// The run-create body and the parameters of what can be done with a run. Keys that are not listed are ignored, as on the
// reference servers; `webhook` alone is refused, because a caller who asks for one relies on being called.
import { z } from 'zod';
import type { Json } from '../../storage/records.js';
import {
  checkpointAddress,
  flag,
  identifier,
  json,
  jsonObject,
  limit,
  nodeList,
  offset,
  queryList,
  storableText,
  textOrTexts,
} from './common.js';

/** What a client may ask a stream for. `events` is LangGraph's and not served by this version. */
export const PLATFORM_STREAM_MODES = [
  'values',
  'updates',
  'messages',
  'messages-tuple',
  'custom',
  'tools',
  'tasks',
  'checkpoints',
  'debug',
] as const;
export type PlatformStreamMode = (typeof PLATFORM_STREAM_MODES)[number];

/** Ten years. A later date would overflow Postgres's and Temporal's timestamps somewhere. */
const MAX_AFTER_SECONDS = 10 * 366 * 24 * 3600;

const target = z.union([z.string().min(1), z.object({ node: z.string().min(1), input: json.optional() })]);
const goto = z.union([target, z.array(target)], {
  error: 'Expected the name of a node, {"node": name, "input": any}, or a list of these',
});

const command = z.object({
  resume: json.optional(),
  update: z
    .union([jsonObject, z.array(z.tuple([z.string(), json]))], {
      error: 'Expected an object, or a list of pairs of a channel and what is written to it',
    })
    .nullish(),
  goto: goto.nullish(),
});

/** Names that the libraries have for what HTTP writes in another way. Ignored, they would do nothing without a word. */
const LIBRARY_NAMES = { recursionLimit: 'recursion_limit', maxConcurrency: 'max_concurrency' } as const;

const config = z
  .looseObject({
    tags: z.array(z.string()).nullish(),
    metadata: jsonObject.nullish(),
    run_name: storableText.nullish(),
    recursion_limit: z.number().int().min(1).nullish(),
    max_concurrency: z.number().int().min(1).nullish(),
    /** It may address a checkpoint as well. */
    configurable: z.looseObject(checkpointAddress.shape).nullish(),
  })
  .superRefine((given, issues) => {
    for (const [name, meant] of Object.entries(LIBRARY_NAMES)) {
      if (name in given)
        issues.addIssue({ code: 'custom', path: [name], message: `Over HTTP it is written ${meant}.` });
    }
  });

export const runCreate = z
  .object({
    assistant_id: identifier,
    input: json.nullish(),
    command: command.nullish(),
    checkpoint: checkpointAddress.nullish(),
    checkpoint_id: identifier.nullish(),
    metadata: jsonObject.nullish(),
    config: config.nullish(),
    context: json.nullish(),
    webhook: z.string().nullish(),
    interrupt_before: nodeList.nullish(),
    interrupt_after: nodeList.nullish(),
    stream_mode: textOrTexts.nullish(),
    stream_subgraphs: z.boolean().nullish(),
    stream_resumable: z.boolean().nullish(),
    on_disconnect: z.enum(['continue', 'cancel']).nullish(),
    multitask_strategy: z.enum(['reject', 'enqueue', 'interrupt', 'rollback']).nullish(),
    if_not_exists: z.enum(['reject', 'create']).nullish(),
    after_seconds: z.number().min(0).max(MAX_AFTER_SECONDS).nullish(),
    on_completion: z.enum(['delete', 'keep']).nullish(),
    feedback_keys: textOrTexts.nullish(),
    langsmith_tracer: z.object({ project_name: z.string().nullish(), example_id: z.string().nullish() }).nullish(),
    durability: z.enum(['sync', 'async', 'exit']).nullish(),
  })
  .transform((body) => ({
    assistantId: body.assistant_id,
    input: body.input,
    command: body.command ?? undefined,
    checkpoint: { ...body.checkpoint, ...(body.checkpoint_id != null && { checkpoint_id: body.checkpoint_id }) },
    metadata: body.metadata ?? {},
    config: withoutNulls(body.config ?? {}),
    context: body.context ?? undefined,
    webhook: body.webhook ?? undefined,
    interruptBefore: body.interrupt_before ?? undefined,
    interruptAfter: body.interrupt_after ?? undefined,
    streamModes: asList(body.stream_mode),
    streamSubgraphs: body.stream_subgraphs ?? false,
    streamResumable: body.stream_resumable ?? false,
    onDisconnect: body.on_disconnect ?? 'continue',
    multitaskStrategy: body.multitask_strategy ?? 'enqueue',
    ifNotExists: body.if_not_exists ?? 'reject',
    afterSeconds: body.after_seconds ?? 0,
    onCompletion: body.on_completion ?? 'delete',
    feedbackKeys: asList(body.feedback_keys),
    langsmithTracer: body.langsmith_tracer ?? undefined,
    durability: body.durability ?? undefined,
  }));
export type RunCreate = z.output<typeof runCreate>;

const asList = (value: string | readonly string[] | null | undefined): readonly string[] =>
  value == null ? [] : typeof value === 'string' ? [value] : value;

const withoutNulls = <T extends object>(fields: T): { [K in keyof T]?: NonNullable<T[K]> } =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null)) as {
    [K in keyof T]?: NonNullable<T[K]>;
  };

export const runList = z
  .object({
    limit,
    offset,
    status: z.enum(['pending', 'running', 'success', 'error', 'timeout', 'interrupted']).optional(),
    select: queryList,
  })
  .transform((query) => ({ limit: query.limit, offset: query.offset, status: query.status, select: query.select }));

export const runStreamQuery = z
  .object({ cancel_on_disconnect: flag.optional(), stream_mode: queryList })
  .transform((query) => ({ cancelOnDisconnect: query.cancel_on_disconnect ?? false, streamModes: query.stream_mode }));

export const runJoinQuery = z
  .object({ cancel_on_disconnect: flag.optional() })
  .transform((query) => ({ cancelOnDisconnect: query.cancel_on_disconnect ?? false }));

export const runCancelQuery = z
  .object({ wait: flag.optional(), action: z.enum(['interrupt', 'rollback']).optional() })
  .transform((query) => ({ wait: query.wait ?? false, action: query.action ?? 'interrupt' }));

/** Any JSON value is an answer, except null: that is how a client says nothing. */
export const runResume = z.object({
  resume: z.custom<Exclude<Json, null>>(
    (answer) => answer !== undefined && answer !== null,
    'Required: any JSON value except null',
  ),
});
