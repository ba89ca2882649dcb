// Schemas of any library, by the interface they share (https://standardschema.dev): what a value must be, and its JSON
// schema.

interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

type StandardResult<Output> =
  { readonly value: Output; readonly issues?: undefined } | { readonly issues: readonly StandardIssue[] };

interface Validator<Input, Output> {
  readonly version: 1;
  readonly vendor: string;
  readonly validate: (
    value: unknown,
    options?: { readonly libraryOptions?: Record<string, unknown> | undefined },
  ) => StandardResult<Output> | Promise<StandardResult<Output>>;
  readonly types?: { readonly input: Input; readonly output: Output } | undefined;
}

interface JsonSchemaSource {
  readonly jsonSchema: {
    readonly input: (options: { readonly target: 'draft-07' }) => Record<string, unknown>;
    readonly output: (options: { readonly target: 'draft-07' }) => Record<string, unknown>;
  };
}

/** Validates. */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly '~standard': Validator<Input, Output>;
}

/** Validates, and can be told as JSON schema. Zod 4, ArkType and Valibot's `toStandardJsonSchema` give such schemas. */
export interface SerializableSchema<Input = unknown, Output = Input> {
  readonly '~standard': Validator<Input, Output> & JsonSchemaSource;
}

export function isStandardSchema<Input = unknown, Output = Input>(
  schema: unknown,
): schema is StandardSchema<Input, Output> {
  return standardProps(schema, 'validate') !== undefined;
}

export function isSerializableSchema<Input = unknown, Output = Input>(
  schema: unknown,
): schema is SerializableSchema<Input, Output> {
  return isStandardSchema(schema) && standardProps(schema, 'jsonSchema') !== undefined;
}

/** The schema's input as JSON schema (draft 7); `undefined` where it has none, or cannot be told as one. */
export function getJsonSchemaFromSchema(schema: unknown): Record<string, unknown> | undefined {
  const props = standardProps(schema, 'jsonSchema') as JsonSchemaSource | undefined;
  try {
    return props?.jsonSchema.input({ target: 'draft-07' });
  } catch {
    return undefined;
  }
}

/**
 * The value of a key that nothing was written to: what the schema makes of `undefined`. The same value each time, as it
 * is asked for once.
 * @returns `undefined` where the schema refuses `undefined`, or would have to be waited for.
 */
export function getSchemaDefaultGetter(schema: unknown): (() => unknown) | undefined {
  if (!isStandardSchema(schema)) return undefined;
  try {
    const result = schema['~standard'].validate(undefined);
    if (isPromise(result) || result.issues) return undefined;
    return () => result.value;
  } catch {
    return undefined;
  }
}

/** @throws Error telling the field and the issues as JSON. */
export async function validateField<Output>(
  field: string,
  schema: StandardSchema<unknown, Output>,
  value: unknown,
): Promise<Output> {
  const result = await schema['~standard'].validate(value);
  if (result.issues) throw new Error(`Validation failed for field "${field}": ${JSON.stringify(result.issues)}`);
  return result.value;
}

const isPromise = (value: object): value is Promise<unknown> =>
  'then' in value && typeof (value as PromiseLike<unknown>).then === 'function';

function standardProps(schema: unknown, having: 'validate' | 'jsonSchema'): object | undefined {
  if (typeof schema !== 'object' || schema === null || !('~standard' in schema)) return undefined;
  const props = schema['~standard'];
  return typeof props === 'object' && props !== null && having in props ? props : undefined;
}
