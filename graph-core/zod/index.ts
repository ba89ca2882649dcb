// Mirrors `@langchain/langgraph/zod`. Importing it puts `.langgraph` on zod schemas.
import './plugin.js';

export {
  META_EXTRAS_DESCRIPTION_PREFIX,
  SchemaMetaRegistry,
  schemaMetaRegistry,
  withLangGraph,
  type InteropZodToStateDefinition,
  type ReducedZodChannel,
  type SchemaMeta,
  type UpdateType,
} from './meta.js';
export { LanggraphZodMetaRegistry, registry } from './registry.js';
