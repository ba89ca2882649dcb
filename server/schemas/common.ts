// Pieces that several requests share.
import { z } from 'zod';
import type { Json, JsonObject } from '../../storage/records.js';

/** Any JSON value; bodies come from JSON.parse, so there is nothing left to check. */
export const json = z.custom<Json>((value) => value !== undefined, 'Required');

export const jsonObject = z.custom<JsonObject>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  'Expected a JSON object',
);

/** Text that reaches Postgres as `text`, which cannot hold U+0000. */
export const storableText = z.string().refine((text) => !text.includes('\0'), 'must not contain NUL (U+0000)');
/** An id, or a name that is used as one. */
export const identifier = storableText.min(1);

/** Query flags: `wait=0` means false. */
export const flag = z
  .union([z.boolean(), z.string()], { error: 'Expected 0, 1, true or false' })
  .transform((value, context) => {
    if (typeof value === 'boolean') return value;
    const text = value.toLowerCase();
    if (['1', 'true', 'yes'].includes(text)) return true;
    if (['', '0', 'false', 'no'].includes(text)) return false;
    context.addIssue({ code: 'custom', message: `Expected 0, 1, true or false, not "${value.slice(0, 40)}"` });
    return z.NEVER;
  });

/** Queries have them as text, and so have some clients' bodies. */
const wholeNumber = z
  .union([z.number(), z.string().regex(/^-?\d+$/)], { error: 'Expected a whole number' })
  .transform(Number)
  .pipe(z.number().int());

const MAX_PAGE = 1_000;
const DEFAULT_PAGE = 10;
export const limit = wholeNumber
  .pipe(z.number().min(1).max(MAX_PAGE))
  .nullish()
  .transform((value) => value ?? DEFAULT_PAGE);
export const offset = wholeNumber
  .pipe(z.number().min(0).max(Number.MAX_SAFE_INTEGER))
  .nullish()
  .transform((value) => value ?? 0);
export const select = z
  .array(z.string())
  .nullish()
  .transform((fields) => (fields && fields.length > 0 ? fields : undefined));

/** A list in a query: repeated (`a=x&a=y`), as JSON (`a=["x","y"]`), or one bare value. */
export const queryList = z
  .union([z.string(), z.array(z.string())])
  .optional()
  .transform((value): readonly string[] | undefined => {
    if (value === undefined || value === '') return undefined;
    return (Array.isArray(value) ? value : [value]).flatMap(fromJsonList);
  });

function fromJsonList(text: string): readonly string[] {
  if (!text.startsWith('[')) return [text];
  try {
    const parsed: unknown = JSON.parse(text);
    if (Array.isArray(parsed) && parsed.every((item) => typeof item === 'string')) return parsed;
  } catch {
    // Not JSON after all: the text is the value, and whoever checks it will name it.
  }
  return [text];
}

export const threadParams = z
  .object({ thread_id: z.uuid() })
  .transform((path) => ({ threadId: path.thread_id.toLowerCase() }));
export const runParams = z.object({ run_id: z.uuid() }).transform((path) => ({ runId: path.run_id.toLowerCase() }));
export const threadRunParams = z
  .object({ thread_id: z.uuid(), run_id: z.uuid() })
  .transform((path) => ({ threadId: path.thread_id.toLowerCase(), runId: path.run_id.toLowerCase() }));

/** How clients address a checkpoint. `thread_id` in it is ignored: the path says which thread. */
export const checkpointAddress = z.object({
  checkpoint_id: identifier.nullish(),
  checkpoint_ns: storableText.nullish(),
  /** Checkpoint ids by namespace. */
  checkpoint_map: z.record(storableText, identifier).nullish(),
});
export type CheckpointAddress = z.output<typeof checkpointAddress>;

export const nodeList = z.union([z.literal('*'), z.array(z.string().min(1))], {
  error: 'Expected "*" or a list of names of nodes',
});
export const textOrTexts = z.union([z.string(), z.array(z.string())], {
  error: 'Expected a string or a list of strings',
});
