// What `import … from '@langchain/langgraph/remote'` gives a project that runs here.
export { RemoteGraph, type RemoteGraphParams } from '../remote/remote-graph.js';
