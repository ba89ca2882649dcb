import * as superstep from 'superstep';
import { buildGraphs } from './build-graphs.js';

export const { one, chain10, events, cancel, ask } = buildGraphs(superstep);
