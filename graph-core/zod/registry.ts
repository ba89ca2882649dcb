// Zod 4's way to say things of a schema: `schema.register(registry, meta)`.
import { getInteropZodDefaultGetter, type InteropZodType } from '@langchain/core/utils/types';
import { $ZodRegistry, type $replace, type $ZodType } from 'zod/v4/core';
import { schemaMetaRegistry, type SchemaMeta, type SchemaMetaRegistry } from './meta.js';

type RegistryMeta<Meta> = Meta & { [key: string]: unknown };

export class LanggraphZodMetaRegistry<
  Meta extends SchemaMeta = SchemaMeta,
  Schema extends $ZodType = $ZodType,
> extends $ZodRegistry<RegistryMeta<Meta>, Schema> {
  constructor(protected readonly parent: SchemaMetaRegistry) {
    super();
    this._map = parent._map as unknown as this['_map'];
  }

  /** Without a default of its own, the meta gets the schema's. */
  override add<Registered extends Schema>(
    schema: Registered,
    ...meta: undefined extends RegistryMeta<Meta>
      ? [$replace<RegistryMeta<Meta>, Registered>?]
      : [$replace<RegistryMeta<Meta>, Registered>]
  ): this {
    const [first] = meta as readonly [SchemaMeta | undefined];
    if (first && !first.default) first.default = getInteropZodDefaultGetter(schema as unknown as InteropZodType);
    return super.add(schema, ...meta);
  }
}

export const registry = new LanggraphZodMetaRegistry(schemaMetaRegistry);
