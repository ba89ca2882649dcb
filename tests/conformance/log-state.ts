// A state in which nodes leave their names, and graphs over it.
import { saver } from './harness.js';
import type { Library } from './library.js';

export const list = (lg: Library) =>
  lg.Annotation.Root({
    log: lg.Annotation<string[], string | string[]>({ reducer: (log, entry) => log.concat(entry), default: () => [] }),
  });

export const says = (name: string) => () => ({ log: [name] });

/** a → b → c. */
export const chain = (lg: Library, options: object = {}) =>
  new lg.StateGraph(list(lg))
    .addNode('a', says('a'))
    .addNode('b', says('b'))
    .addNode('c', says('c'))
    .addEdge(lg.START, 'a')
    .addEdge('a', 'b')
    .addEdge('b', 'c')
    .compile({ checkpointer: saver(), ...options });
