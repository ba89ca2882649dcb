// `schema.langgraph.reducer(…)` and `.metadata(…)` on every zod schema of this process, for zod 3 projects.
import { getInteropZodDefaultGetter, type InteropZodType } from '@langchain/core/utils/types';
import { z as z3 } from 'zod/v3';
import { z as z4 } from 'zod/v4';
import { withLangGraph, type SchemaMeta } from './meta.js';

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

install(z3.ZodType.prototype);
install(z4.ZodType.prototype);
