// Mirrors `@langchain/langgraph/zod/schema`: a graph's declarations as JSON schema. Those that are neither a zod object
// nor a StateSchema have none.
import { toJsonSchema, type JSONSchema } from '@langchain/core/utils/json_schema';
import type { CheckingSchema, GraphSchemas } from '../graph/resolve-definitions.js';
import { StateSchema } from '../state/state-schema.js';
import {
  META_EXTRAS_DESCRIPTION_PREFIX,
  schemaMetaRegistry,
  type SchemaEffects,
  type SchemaMetaRegistry,
} from './meta.js';

const VALUE: SchemaEffects = { withJsonSchemaExtrasAsDescription: true };
const UPDATE: SchemaEffects = { withReducerSchema: true, withJsonSchemaExtrasAsDescription: true, asPartial: true };

/** What the state is. */
export const getStateTypeSchema = (graph: unknown, registry = schemaMetaRegistry): JSONSchema | undefined =>
  jsonSchemaOf(schemasOf(graph)?.state, VALUE, registry);

/** What a node may write. */
export const getUpdateTypeSchema = (graph: unknown, registry = schemaMetaRegistry): JSONSchema | undefined =>
  jsonSchemaOf(schemasOf(graph)?.state, UPDATE, registry);

/** What a caller may pass. */
export function getInputTypeSchema(graph: unknown, registry = schemaMetaRegistry): JSONSchema | undefined {
  const schemas = schemasOf(graph);
  return jsonSchemaOf(schemas?.input ?? schemas?.state, UPDATE, registry);
}

/** What a caller gets. */
export const getOutputTypeSchema = (graph: unknown, registry = schemaMetaRegistry): JSONSchema | undefined =>
  jsonSchemaOf(schemasOf(graph)?.output, VALUE, registry);

/** What `config.context` is. */
export const getConfigTypeSchema = (graph: unknown, registry = schemaMetaRegistry): JSONSchema | undefined =>
  jsonSchemaOf(schemasOf(graph)?.context, VALUE, registry);

const schemasOf = (graph: unknown): GraphSchemas | undefined =>
  (graph as { builder?: { schemas?: GraphSchemas } } | null | undefined)?.builder?.schemas;

function jsonSchemaOf(
  schema: CheckingSchema | undefined,
  effects: SchemaEffects,
  registry: SchemaMetaRegistry,
): JSONSchema | undefined {
  if (schema === undefined) return undefined;
  if (StateSchema.isInstance(schema)) {
    return effects === UPDATE ? schema.getInputJsonSchema() : schema.getJsonSchema();
  }
  return withExtras(toJsonSchema(registry.getExtendedChannelSchemas(schema, effects))) as JSONSchema;
}

/** Extras that came through the converter as a description take their place as keys. */
function withExtras(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withExtras);
  if (typeof schema !== 'object' || schema === null) return schema;
  const { description, ...rest } = Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [key, withExtras(value)]),
  );
  if (description === undefined) return rest;
  if (typeof description !== 'string' || !description.startsWith(META_EXTRAS_DESCRIPTION_PREFIX)) {
    return { ...rest, description };
  }
  const extras = JSON.parse(description.slice(META_EXTRAS_DESCRIPTION_PREFIX.length)) as Record<string, unknown>;
  return { ...rest, ...extras };
}
