// Runs a plan with one library, and records everything that can be seen from outside.
import type { MemorySaver } from '@langchain/langgraph-checkpoint';
import { saver as newSaver, thread, type Graph } from '../harness.js';
import type { Library } from '../library.js';
import { buildGraph } from './build-graph.js';
import type { Plan, Step } from './plan.js';
import { Recording, type Chunks } from './record.js';
import { Turns } from './turns.js';

export async function runPlan(lg: Library, plan: Plan): Promise<Recording> {
  const recording = new Recording();
  const saver = newSaver();
  const built = await recording.outcome('compile', async () => {
    buildGraph(lg, plan, saver);
    return 'compiled';
  });
  if (!built) return recording;
  const turns = plan.pace === 'by turns' ? new Turns(plan.order) : undefined;
  const run = new Run(lg, plan, buildGraph(lg, plan, saver, turns), turns, recording);
  await run.stream({ log: ['in'] }, thread());
  await run.state();
  for (const step of plan.steps) {
    await run.step(step);
    await run.state();
  }
  await recording.outcome('history', () => collect(run.graph.getStateHistory(thread())));
  recording.saved('saved', await savedBy(saver));
  return recording;
}

type Config = ReturnType<typeof thread>;

interface Snapshot {
  readonly config: Config;
  readonly tasks: readonly { readonly interrupts: readonly { readonly id?: string }[]; readonly state?: Snapshot }[];
}

interface BulkEdited {
  bulkUpdateState(
    config: Config,
    supersteps: readonly { readonly updates: readonly { readonly values: unknown; readonly asNode: string }[] }[],
  ): Promise<Config>;
}

class Run {
  private lastRun: 'ended' | 'failed' = 'ended';

  constructor(
    private readonly lg: Library,
    private readonly plan: Plan,
    readonly graph: Graph,
    private readonly turns: Turns | undefined,
    private readonly recording: Recording,
  ) {}

  async stream(input: unknown, config: Config & { readonly interruptBefore?: unknown }): Promise<void> {
    const { modes, subgraphs, durability } = this.plan.watching;
    const streamMode = modes.length === 1 ? modes[0] : modes;
    const { recursionLimit, maxConcurrency, pace } = this.plan;
    const limits = { recursionLimit, ...(maxConcurrency === null ? {} : { maxConcurrency }) };
    const options = { ...config, ...limits, streamMode, subgraphs, durability };
    const chunks: Chunks = new Map();
    let error: { was: unknown } | undefined;
    try {
      for await (const chunk of await this.graph.stream(input, options)) {
        const ns = subgraphs ? (chunk as [string[]])[0].join('|') : '';
        chunks.set(ns, [...(chunks.get(ns) ?? []), chunk]);
      }
    } catch (thrown) {
      error = { was: thrown };
    }
    this.lastRun = error ? 'failed' : 'ended';
    await this.turns?.end();
    this.recording.stream(pace === 'by turns' ? 'ordered' : 'unordered', chunks, error);
  }

  state(): Promise<unknown> {
    return this.recording.outcome('state', () => this.graph.getState(thread(), { subgraphs: true }));
  }

  async step(step: Step): Promise<void> {
    const { lg } = this;
    switch (step.do) {
      case 'resume': {
        const update = step.updates.length > 0 ? { log: ['answered'], late: 'answer' } : undefined;
        return this.stream(new lg.Command({ resume: step.answer, ...(update ? { update } : {}) }), thread());
      }
      case 'resume by id': {
        const asked = step.which === 'first' ? (await this.asked()).slice(0, 1) : await this.asked();
        const answers = Object.fromEntries(asked.map((id) => [id, step.answer]));
        return this.stream(asked.length > 0 ? new lg.Command({ resume: answers }) : null, thread());
      }
      case 'go on': {
        const stops = step.stops?.includes('*') ? '*' : step.stops;
        return this.stream(null, { ...thread(), ...(stops ? { interruptBefore: stops } : {}) });
      }
      case 'input':
        return this.stream({ log: ['more'], sum: 1 }, thread());
      case 'jump':
        return this.stream(new lg.Command({ goto: step.to, update: { log: ['jumped'] } }), thread());
      case 'edit':
        await this.edit(thread(), step.asNode ?? undefined);
        return;
      case 'edit at once': {
        const graph = this.graph as Graph & BulkEdited;
        const supersteps = step.asNodes.map((nodes) => ({
          updates: nodes.map((asNode) => ({ values: { log: [`as ${asNode}`], late: asNode }, asNode })),
        }));
        await this.recording.outcome('edit at once', () => graph.bulkUpdateState(thread(), supersteps));
        return;
      }
      case 'edit within': {
        const within = await this.within();
        const edited = within && (await this.edit(within, step.asNode ?? undefined));
        return edited && step.then === 'go on' ? this.stream(null, edited) : undefined;
      }
      case 'travel':
        return this.travel(step);
      case 'travel within':
        return this.travelWithin(step);
    }
  }

  /** Where the first graph is that waits in a node. Of one that has not begun, LangGraph's config holds its saver too. */
  private async within(): Promise<Config | undefined> {
    // After writes that do not fit together LangGraph cannot tell the state; ours does.
    if (this.lastRun === 'failed') return undefined;
    try {
      const { tasks } = (await this.graph.getState(thread(), { subgraphs: true })) as Snapshot;
      const { configurable } = tasks.find(({ state }) => state !== undefined)?.state?.config ?? {};
      return configurable && thread('thread-1', { checkpoint_ns: configurable['checkpoint_ns'] });
    } catch {
      return undefined;
    }
  }

  private async travelWithin({ back, then }: Step & { do: 'travel within' }): Promise<void> {
    const within = await this.within();
    if (within === undefined) return;
    const history = await this.recording.outcome('places within', () => collect(this.graph.getStateHistory(within)));
    if (history === undefined || history.length === 0) return;
    const { config } = history[back % history.length] as Snapshot;
    return this.stream(then === 'go on' ? null : new this.lg.Command({ resume: 'then' }), config);
  }

  private async travel({ back, then }: Step & { do: 'travel' }): Promise<void> {
    const history = await this.recording.outcome('places', () => collect(this.graph.getStateHistory(thread())));
    if (history === undefined || history.length === 0) return;
    const { config } = history[back % history.length] as Snapshot;
    switch (then) {
      case 'go on':
        return this.stream(null, config);
      case 'input':
        return this.stream({ log: ['again'] }, config);
      case 'resume':
        return this.stream(new this.lg.Command({ resume: 'then' }), config);
      case 'edit': {
        const edited = await this.edit(config, undefined);
        return edited && this.stream(null, edited);
      }
    }
  }

  private edit(config: Config, asNode: string | undefined): Promise<Config | undefined> {
    const values = asNode === '__end__' || asNode === '__copy__' ? null : { log: ['edited'], late: 'edit' };
    return this.recording.outcome('edit', () => this.graph.updateState(config, values, asNode) as Promise<Config>);
  }

  private async asked(): Promise<readonly string[]> {
    try {
      const { tasks } = (await this.graph.getState(thread())) as Snapshot;
      return [...new Set(tasks.flatMap(({ interrupts }) => interrupts.flatMap(({ id }) => id ?? [])))];
    } catch {
      return [];
    }
  }
}

async function savedBy(saver: MemorySaver): Promise<Chunks> {
  const tuples: Chunks = new Map();
  for await (const tuple of saver.list(thread())) {
    const ns = String(tuple.config.configurable?.['checkpoint_ns'] ?? '');
    tuples.set(ns, [...(tuples.get(ns) ?? []), tuple]);
  }
  return tuples;
}

async function collect(items: AsyncIterable<unknown>): Promise<unknown[]> {
  const collected: unknown[] = [];
  for await (const item of items) collected.push(item);
  return collected;
}
