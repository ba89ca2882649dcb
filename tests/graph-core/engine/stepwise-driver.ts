// Drives a graph as the durable service does: nothing is kept between supersteps but what the saver has.
import { MemorySaver } from '@langchain/langgraph-checkpoint';
import { beginRun } from '../../../graph-core/engine/begin-run.js';
import type { CompiledGraph } from '../../../graph-core/engine/compiled-graph.js';
import { continueFrom, loadSaved } from '../../../graph-core/engine/saved-state.js';
import { runSuperstep } from '../../../graph-core/engine/superstep.js';
import type {
  CheckpointCommit,
  RunInput,
  RunOptions,
  RunState,
  SuperstepOutcome,
  SuperstepPorts,
} from '../../../graph-core/engine/superstep-contract.js';
import type { StreamChunk } from '../../../graph-core/stream-mode.js';

export class StepwiseDriver {
  readonly saver = new MemorySaver();
  readonly chunks: StreamChunk[] = [];
  private carried: Pick<RunState, 'stop' | 'replay'> = { stop: 0 };

  constructor(
    private readonly graph: CompiledGraph,
    private readonly more: Partial<RunOptions> = {},
  ) {}

  /**
   * From the input to the end, or to the first question. A failed superstep throws; `goOn` runs it again.
   * @param checkpointId where to start. Default: the thread's latest.
   */
  async run(input: RunInput, checkpointId?: string): Promise<SuperstepOutcome> {
    const { config } = this.options;
    const at = { ...config, configurable: { ...config.configurable, checkpoint_id: checkpointId } };
    const begun = beginRun(this.graph, await loadSaved(this.saver, at), input, { ...this.options, config: at }, this);
    for (const { config, taskId, writes } of begun.pendingWrites)
      await this.saver.putWrites(config, [...writes], taskId);
    for (const commit of begun.commits) await this.commit(commit);
    this.chunks.push(...begun.chunks);
    return this.steps(begun.state);
  }

  /** After a death: the thread's latest checkpoint, with what was saved of its superstep. */
  async goOn(): Promise<SuperstepOutcome> {
    const saved = await loadSaved(this.saver, this.options.config);
    if (saved === undefined) throw new Error('The thread has no checkpoint.');
    return this.steps(continueFrom(saved, this.carried));
  }

  private async steps(first: RunState): Promise<SuperstepOutcome> {
    this.carried = JSON.parse(JSON.stringify({ stop: first.stop, replay: first.replay })) as typeof this.carried;
    for (let state = first; ;) {
      const outcome = await runSuperstep(this.graph, state, this.options, this.portsAt(state));
      if ('commit' in outcome && outcome.commit) await this.commit(outcome.commit);
      if (outcome.kind === 'interrupted') this.chunks.push(...outcome.chunks);
      if (outcome.kind !== 'continue') return outcome;
      const saved = await loadSaved(this.saver, this.options.config);
      if (saved === undefined) throw new Error('The checkpoint was not saved.');
      state = continueFrom(saved, this.carried);
    }
  }

  private portsAt({ saved }: RunState): SuperstepPorts {
    return {
      saver: this.saver,
      saveWrites: (taskId, writes, { taskPath }) => this.saver.putWrites(saved.config, [...writes], taskId, taskPath),
      emit: (chunk) => this.chunks.push(chunk),
      signal: new AbortController().signal,
      retries: 'caller',
    };
  }

  private async commit({ parentConfig, checkpoint, metadata, chunks }: CheckpointCommit): Promise<void> {
    await this.saver.put(parentConfig, checkpoint, metadata);
    this.chunks.push(...chunks);
  }

  private get options(): RunOptions {
    return {
      config: { configurable: { thread_id: 't', checkpoint_ns: '' } },
      streamModes: ['values', 'updates'],
      streamSubgraphs: true,
      ...this.more,
    };
  }
}

export const input = (value: unknown): RunInput => ({ kind: 'input', value });
