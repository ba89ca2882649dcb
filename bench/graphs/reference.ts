import * as langgraph from '@langchain/langgraph';
import { buildGraphs } from './build-graphs.js';

export const { one, chain10, events, cancel, ask } = buildGraphs(
  langgraph as unknown as Parameters<typeof buildGraphs>[0],
);
