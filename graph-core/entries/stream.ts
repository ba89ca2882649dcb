// What `import … from '@langchain/langgraph/stream'` gives a project that runs here.
export * from '../stream/index.js';
