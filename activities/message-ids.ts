// Messages of a state, for `messages/complete`: each is shown once in a run.
import type { Checkpoint } from '@langchain/langgraph-checkpoint';

/** Ids of the messages under `messages`, where the graphs of chat applications keep them. */
export function messageIdsOf({ channel_values }: Checkpoint): readonly string[] {
  const { messages } = channel_values as { readonly messages?: unknown };
  return [messages].flat().flatMap((message) => {
    const id = (message as { readonly id?: unknown } | null | undefined)?.id;
    return typeof id === 'string' ? [id] : [];
  });
}
