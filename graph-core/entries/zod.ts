// What `import … from '@langchain/langgraph/zod'` gives a project that runs here.
export * from '../zod/index.js';
