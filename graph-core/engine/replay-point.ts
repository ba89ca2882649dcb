// Time travel into nested graphs: each loads, on its first visit, the state it had before the checkpoint the run was sent
// back to; after that its own latest.
import type { BaseCheckpointSaver, CheckpointTuple } from '@langchain/langgraph-checkpoint';
import type { RunnableConfig } from '@langchain/core/runnables';

export class ReplayPoint {
  private readonly visited = new Set<string>();

  constructor(readonly checkpointId: string) {}

  async load(saver: BaseCheckpointSaver, config: RunnableConfig): Promise<CheckpointTuple | undefined> {
    const ns = String(config.configurable?.['checkpoint_ns'] ?? '');
    // Without the task id: the same node's task has another one at each checkpoint.
    const node = ns.includes(':') ? ns.slice(0, ns.lastIndexOf(':')) : ns;
    if (this.visited.has(node)) return saver.getTuple(config);
    this.visited.add(node);
    const before = { configurable: { checkpoint_id: this.checkpointId } };
    for await (const tuple of saver.list(config, { before, limit: 1 })) return tuple;
    return undefined;
  }
}
