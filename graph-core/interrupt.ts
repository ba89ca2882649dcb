// `interrupt()`: a node asks and waits for an answer.
import { toJsonSchema } from '@langchain/core/utils/json_schema';
import { interopParse, isInteropZodSchema, type InteropZodType } from '@langchain/core/utils/types';
import { INTERRUPT, RESUME } from './constants.js';
import { ambientConfig } from './engine/ambient-config.js';
import { interruptId } from './engine/interrupt-id.js';
import { taskContextOf } from './engine/task-context.js';
import { GraphInterrupt, GraphValueError, markInvalidResume, type Interrupt } from './errors.js';

export type { Interrupt } from './errors.js';

export interface InterruptOptions {
  /** What the answer should look like: zod, which also checks and parses it, or a JSON schema, which only describes it. */
  readonly responseSchema?: unknown;
}

/**
 * Stops this task until the caller resumes the run with an answer, which is then returned here. The node runs again from
 * its top, so what comes before this call happens again; the nth call of a node gets the nth answer.
 * @throws GraphInterrupt to be left alone: it is how the run stops.
 * @throws GraphValueError `MISSING_CHECKPOINTER` without a checkpointer.
 * @throws Error outside a graph.
 */
export function interrupt<Question = unknown, Answer = unknown>(
  value: Question,
  options: InterruptOptions = {},
): Answer {
  const config = ambientConfig();
  if (config === undefined) throw new Error('Called interrupt() outside the context of a graph.');
  const task = taskContextOf(config);
  if (task === undefined) throw new Error('No configurable found in config');
  if (task.saver === undefined) {
    throw new GraphValueError('No checkpointer set', { lc_error_code: 'MISSING_CHECKPOINTER' });
  }
  const { responseSchema } = options;
  const asked = task.answers.count;
  const answer = task.answers.next();
  if (answer === undefined) {
    const question: Interrupt = { id: interruptId(task.checkpointNs, asked), value };
    throw new GraphInterrupt([
      responseSchema === undefined ? question : { ...question, response_schema: toJsonSchema(responseSchema as never) },
    ]);
  }
  const parsed = parseAnswer(answer.value, responseSchema);
  task.write(RESUME, answer.all);
  return parsed as Answer;
}

/** @throws the schema's error, marked so that the question can be answered again. */
function parseAnswer(answer: unknown, schema: unknown): unknown {
  if (!isInteropZodSchema(schema)) return answer;
  try {
    return interopParse(schema as InteropZodType, answer);
  } catch (error) {
    markInvalidResume(error);
    throw error;
  }
}

/** Whether a result of `invoke` or a `values` chunk says that the run waits. */
export function isInterrupted<Value = unknown>(
  values: unknown,
): values is { readonly [INTERRUPT]: readonly Interrupt<Value>[] } {
  if (typeof values !== 'object' || values === null) return false;
  return Array.isArray((values as { [INTERRUPT]?: unknown })[INTERRUPT]);
}

/** A type other than `any`. */
type Known<Type> = 0 extends 1 & Type ? never : Type;

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- whatever it asks and is answered
type AnyInterrupt = typeof interrupt<any, any>;

/** What a graph's `interrupt` option (an `interrupt<Question, Answer>`, or a record of them) says of questions. */
export type InferInterruptInputType<Type> = Type extends typeof interrupt<infer Question, unknown>
  ? Question
  : Type extends Record<string, AnyInterrupt>
    ? { [Key in keyof Type]: InferInterruptInputType<Type[Key]> }[keyof Type]
    : unknown;

/** The same of answers. */
export type InferInterruptResumeType<Type, Inner = false> = Type extends typeof interrupt<never, infer Answer>
  ? Inner extends true
    ? Known<Answer>
    : Answer
  : Type extends Record<string, AnyInterrupt>
    ? { [Key in keyof Type]: InferInterruptResumeType<Type[Key], true> }[keyof Type]
    : unknown;
