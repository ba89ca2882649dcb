// Stream modes of a remote run: what the caller wants, and what is asked of the server for it.
import type { StreamMode as SentMode } from '@langchain/langgraph-sdk';
import type { CallOptions } from '../engine/call-options.js';
import type { StreamMode } from '../stream-mode.js';

/** An event of a run: its mode, and the graph below the root that it comes from. */
export interface RemoteEvent {
  readonly mode: string;
  readonly ns: readonly string[];
  readonly data: unknown;
}

/** `updates|child:id` is mode and namespace. */
export function remoteEvent({ event, data }: { readonly event: string; readonly data: unknown }): RemoteEvent {
  const [mode = '', ...ns] = event.split('|');
  return { mode, ns, data };
}

type Wanted = Pick<CallOptions, 'streamMode' | 'subgraphs'>;

const modesOf = ({ streamMode }: Wanted): readonly StreamMode[] => {
  const modes = [streamMode ?? []].flat() as readonly StreamMode[];
  return modes.length > 0 ? modes : ['updates'];
};

/** With `updates`, which tell of questions; `around` are the modes of the graph in whose node the call is. */
export function sentModes(wanted: Wanted, around: Iterable<StreamMode> = []): SentMode[] {
  const modes = new Set<StreamMode>([...modesOf(wanted), 'updates', ...around]);
  return [...modes].map((mode) => (mode === 'messages' ? 'messages-tuple' : mode));
}

/** What the caller gets of an event; nothing of a mode, or of a graph, that it did not ask for. */
export function chunkOf(wanted: Wanted, { mode, ns, data }: RemoteEvent, caller: readonly string[]): unknown[] {
  const { streamMode, subgraphs = false } = wanted;
  if (!(modesOf(wanted) as readonly string[]).includes(mode)) return [];
  if (!subgraphs && ns.length > 0 && mode !== 'messages') return [];
  const parts = [
    ...(subgraphs ? [[...caller, ...ns]] : []),
    ...(Array.isArray(streamMode) && streamMode.length > 0 ? [mode] : []),
    data,
  ];
  return [parts.length === 1 ? data : parts];
}
