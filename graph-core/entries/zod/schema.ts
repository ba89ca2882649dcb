// What `import … from '@langchain/langgraph/zod/schema'` gives a project that runs here.
export * from '../../zod/schema.js';
