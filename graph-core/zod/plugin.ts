// `schema.langgraph.reducer(…)` and `.metadata(…)` on every zod 3 schema of this process.
import { getInteropZodDefaultGetter, type InteropZodType } from '@langchain/core/utils/types';
import { z } from 'zod/v3';
import { withLangGraph, type SchemaMeta } from './meta.js';

interface LangGraphOfZod<Schema extends z.ZodTypeAny, Output> {
  /** Writes are folded by `reducer`, which takes what `schema` lets through; without it what the value's schema does. */
  reducer<Input = z.output<Schema>>(
    reducer: (current: Output, update: Input) => Output,
    schema?: z.ZodType<Input>,
  ): z.ZodType<Output, z.ZodEffectsDef<Schema>, Input>;
  /** Extras of the key's JSON schema. */
  metadata(extra: { langgraph_nodes?: string[]; langgraph_type?: 'prompt'; [key: string]: unknown }): Schema;
}

declare module 'zod/v3' {
  interface ZodType<Output> {
    langgraph: LangGraphOfZod<this, Output>;
  }
}

/** The prototypes that have it, shared with LangGraph's own plugin: whoever comes first installs it. */
const INSTALLED = Symbol.for('langgraph-zod');

function install(prototype: object): void {
  const installed = ((globalThis as { [INSTALLED]?: WeakSet<object> })[INSTALLED] ??= new WeakSet());
  if (installed.has(prototype)) return;
  Object.defineProperty(prototype, 'langgraph', {
    get(this: InteropZodType) {
      return {
        metadata: (jsonSchemaExtra: SchemaMeta['jsonSchemaExtra']) => withLangGraph(this, { jsonSchemaExtra }),
        reducer: (fn: (current: unknown, update: unknown) => unknown, schema?: InteropZodType) =>
          withLangGraph<unknown, unknown, InteropZodType>(this, {
            default: getInteropZodDefaultGetter(this),
            reducer: { schema, fn },
          }),
      };
    },
  });
  installed.add(prototype);
}

install(z.ZodType.prototype as object);
