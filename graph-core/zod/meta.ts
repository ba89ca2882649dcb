// What LangGraph adds to a zod schema of a state's key: a reducer, a default, extras of its JSON schema. Zod schemas
// cannot carry it, so it is kept here, by schema.
import {
  extendInteropZodObject,
  getInteropZodDefaultGetter,
  getInteropZodObjectShape,
  getSchemaDescription,
  interopZodObjectPartial,
  isZodSchemaV3,
  type InteropZodObject,
  type InteropZodObjectShape,
  type InteropZodType,
} from '@langchain/core/utils/types';
import type { Channel } from '../channels/channel.js';
import { LastValue } from '../channels/last-value.js';
import { BinaryOperatorAggregate } from '../channels/reducer.js';
import type { OverwriteValue } from '../overwrite.js';

/** Begins a description that holds extras as JSON, on their way through a converter to JSON schema. */
export const META_EXTRAS_DESCRIPTION_PREFIX = 'lg:';

/** A zod schema with a reducer: what it takes has a schema of its own. */
export type ReducedZodChannel<Schema extends InteropZodType, ReducerSchema extends InteropZodType> = Schema & {
  lg_reducer_schema: ReducerSchema;
};

type ChannelTypesOf<Schema> =
  Schema extends ReducedZodChannel<infer Own, infer ReducerSchema>
    ? Own extends InteropZodType<infer Value>
      ? ReducerSchema extends InteropZodType<infer Update>
        ? [Value, OverwriteValue<Value> | Update]
        : never
      : never
    : Schema extends InteropZodType<infer Value, infer Update>
      ? [Value, Update]
      : never;

/** The channels by key that a zod object stands for. */
export type InteropZodToStateDefinition<Schema extends InteropZodObject, Shape = InteropZodObjectShape<Schema>> = {
  [Key in keyof Shape]: Channel<ChannelTypesOf<Shape[Key]>[0], ChannelTypesOf<Shape[Key]>[1]>;
};

/** What a node may return of a state that is a zod object. */
export type UpdateType<Schema extends InteropZodObject, Shape = InteropZodObjectShape<Schema>> = {
  [Key in keyof Shape]?: ChannelTypesOf<Shape[Key]>[1];
};

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- as LangGraph's: a key of any type
export interface SchemaMeta<Value = any, Update = Value> {
  jsonSchemaExtra?: {
    langgraph_nodes?: string[];
    langgraph_type?: 'prompt' | 'messages';
    [key: string]: unknown;
  };
  reducer?: {
    /** What a write must be. Default: what the value must be. */
    schema?: InteropZodType<Update>;
    fn: (current: Value, update: Update) => Value;
  };
  default?: () => Value;
}

/** Ways to change an object schema by what is known of its keys. */
export interface SchemaEffects {
  /** Reducers' own schemas in place of their values'. */
  readonly withReducerSchema?: boolean;
  readonly withJsonSchemaExtrasAsDescription?: boolean;
  /** No key is required. */
  readonly asPartial?: boolean;
}

export class SchemaMetaRegistry {
  /** Shared with the registry that zod 4's `.register` writes to. */
  readonly _map = new Map<InteropZodType, SchemaMeta>();
  /** By the effects, then by the schema. */
  readonly #extended = new Map<string, WeakMap<InteropZodObject, InteropZodObject>>();

  get<Value, Update = Value>(schema: InteropZodType<Value>): SchemaMeta<Value, Update> | undefined {
    return this._map.get(schema);
  }

  /** Sets what `change` makes of what there is. */
  extend<Value, Update>(
    schema: InteropZodType<Value>,
    change: (meta: SchemaMeta<Value, Update> | undefined) => SchemaMeta<Value, Update>,
  ): void {
    this._map.set(schema, change(this.get(schema)));
  }

  remove(schema: InteropZodType): this {
    this._map.delete(schema);
    return this;
  }

  has(schema: InteropZodType): boolean {
    return this._map.has(schema);
  }

  /** The channels of a state that is a zod object. A key without a reducer keeps its last value. */
  getChannelsForSchema<Schema extends InteropZodObject>(schema: Schema): InteropZodToStateDefinition<Schema> {
    const channels: Record<string, Channel> = {};
    for (const [key, field] of Object.entries(getInteropZodObjectShape(schema))) {
      const meta = this.get(field as InteropZodType);
      channels[key] = meta?.reducer
        ? new BinaryOperatorAggregate(meta.reducer.fn, meta.default)
        : new LastValue(meta?.default);
    }
    return channels as InteropZodToStateDefinition<Schema>;
  }

  /** The schema as changed, the same one each time; keys that it does not have are dropped. */
  getExtendedChannelSchemas<Schema extends InteropZodObject>(schema: Schema, effects: SchemaEffects): InteropZodObject {
    const {
      withReducerSchema = false,
      withJsonSchemaExtrasAsDescription: withExtras = false,
      asPartial = false,
    } = effects;
    if (!withReducerSchema && !withExtras && !asPartial) return schema;
    const key = [withReducerSchema, withExtras, asPartial].join();
    let cache = this.#extended.get(key);
    if (cache === undefined) this.#extended.set(key, (cache = new WeakMap()));
    let extended = cache.get(schema);
    if (extended === undefined) {
      extended = withReducerSchema || withExtras ? this.#withMeta(schema, { withReducerSchema, withExtras }) : schema;
      if (asPartial) extended = interopZodObjectPartial(extended);
      cache.set(schema, extended);
    }
    return extended;
  }

  #withMeta(
    schema: InteropZodObject,
    effects: { readonly withReducerSchema: boolean; readonly withExtras: boolean },
  ): InteropZodObject {
    const shape = Object.entries(getInteropZodObjectShape(schema)).map(([key, field]) => {
      const own = field as InteropZodType;
      const meta = this.get(own);
      const taken = effects.withReducerSchema ? (meta?.reducer?.schema ?? own) : own;
      const extra = effects.withExtras ? meta?.jsonSchemaExtra : undefined;
      return [key, extra ? describedBy(taken, extra, own) : taken] as const;
    });
    const extended = extendInteropZodObject(schema, Object.fromEntries(shape));
    if (isZodSchemaV3(extended)) (extended._def as { unknownKeys?: string }).unknownKeys = 'strip';
    return extended;
  }
}

/** With the extras as a description, which is all of a schema's notes that comes through to its JSON schema. */
function describedBy(schema: InteropZodType, extra: object, fallback: InteropZodType): InteropZodType {
  const description = getSchemaDescription(schema) ?? getSchemaDescription(fallback);
  const described = schema as InteropZodType & { describe(text: string): InteropZodType };
  return described.describe(`${META_EXTRAS_DESCRIPTION_PREFIX}${JSON.stringify({ ...extra, description })}`);
}

/** What is known of the schemas of this process. */
export const schemaMetaRegistry = new SchemaMetaRegistry();

/**
 * Says how a key of a zod state behaves. The meta replaces what was said of this very schema before.
 * @returns the same schema; with a reducer, typed as one.
 */
export function withLangGraph<Value, Update, Schema extends InteropZodType<Value>>(
  schema: Schema,
  meta: SchemaMeta<Value, Update> & { reducer?: undefined },
): Schema;
export function withLangGraph<Value, Update, Schema extends InteropZodType<Value>>(
  schema: Schema,
  meta: SchemaMeta<Value, Update>,
): ReducedZodChannel<Schema, InteropZodType<Update>>;
export function withLangGraph<Value, Update, Schema extends InteropZodType<Value>>(
  schema: Schema,
  meta: SchemaMeta<Value, Update>,
): Schema {
  if (meta.reducer && !meta.default) meta.default = getInteropZodDefaultGetter(schema);
  schemaMetaRegistry.extend(schema, () => meta);
  return meta.reducer ? Object.assign(schema, { lg_reducer_schema: meta.reducer.schema ?? schema }) : schema;
}
