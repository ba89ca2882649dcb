// One attempt of a superstep while it runs: its heartbeat, the signal that stops its nodes, its place in the log.
import { setTimeout as delay } from 'node:timers/promises';
import { Context } from '@temporalio/activity';
import {
  isGraphDrained,
  isInterrupted,
  isNodeRetryRequest,
  type NodeRetryRequest,
  type StreamChunk,
} from '../graph-core/index.js';
import type { Batch } from '../events/batch.js';
import { attemptStart } from '../events/entry.js';
import type { AttemptLedger, Run, ToldTasks } from '../storage/records.js';
import { APPEND_EVENTS_SIGNAL, type AppendEventsSignal, type SuperstepInput } from '../workflows/messages.js';
import type { AttemptBudget } from './attempt-budget.js';
import type { ActivityDependencies } from './dependencies.js';
import { EventWriter, tellsResult } from './event-writer.js';
import { cancelled, fromStorage, handBack, Overtaken, runErrorOf, superstepFailure } from './failures.js';
import { recoveredLog, workflowLogEnd, type RecoveredLog } from './recovered-log.js';
import { StepControl } from './step-control.js';
import type { Told } from './told-journal.js';

/** Cancellation comes with the answer to a heartbeat. */
const HEARTBEAT_INTERVAL_MS = 1_000;
/** A flush that takes longer is given up: what it carried goes with the next, or with the result. */
const FLUSH_DEADLINE_MS = 5_000;
/** For nodes that were aborted to clean up: a run that is cancelled has stopped when its nodes have. Within a shutdown's last seconds. */
const STOP_PATIENCE_MS = 3_000;

export class SuperstepAttempt {
  readonly step: number;
  readonly attempt: number;
  readonly executionId: string;
  readonly signal: AbortSignal;
  readonly control: StepControl;
  /** Questions asked so far: public when the pause is committed, and not before. */
  readonly heldChunks: StreamChunk[] = [];
  readonly #deps: ActivityDependencies;
  readonly #budget: AttemptBudget;
  readonly #input: SuperstepInput;
  readonly #context = Context.current();
  readonly #heartbeat: NodeJS.Timeout;
  readonly #abort: ReturnType<NonNullable<ActivityDependencies['aborts']>['register']> | undefined;
  readonly #nodes = new Map<string, string>();
  readonly #finished = new Set<string>();
  #writer: EventWriter | undefined;
  #ledger: AttemptLedger | undefined;
  #recovered: RecoveredLog | undefined;
  /** Tasks that had finished before: told as cached, all at once. */
  #replayed: readonly string[] = [];
  #stopped: Promise<void> | undefined;
  #ended = false;

  constructor(deps: ActivityDependencies, budget: AttemptBudget, input: SuperstepInput) {
    const { info, cancellationSignal } = this.#context;
    this.#deps = deps;
    this.#budget = budget;
    this.#input = input;
    this.step = input.progress?.step ?? 1;
    this.attempt = info.attempt;
    this.executionId = info.workflowExecution?.runId ?? '';
    this.#abort = deps.aborts?.register(input.run.runId);
    this.signal = this.#abort ? AbortSignal.any([cancellationSignal, this.#abort.signal]) : cancellationSignal;
    this.control = new StepControl(deps.stopping);
    this.#heartbeat = setInterval(() => this.#context.heartbeat(), HEARTBEAT_INTERVAL_MS);
  }

  /** Looks up what attempts have told that died with their workers. To be called before `begin`. */
  async recover(): Promise<void> {
    const { steps, blobs } = this.#deps;
    const journal = await fromStorage(() => steps.journal.read(this.#input.run.runId, this.step));
    // An execution that was ended from outside has left what its successor, whose numbers are above, tells anew.
    const own = journal.filter(({ upTo }) => upTo > this.#input.end.seq);
    this.#recovered = await recoveredLog(own, blobs, workflowLogEnd);
  }

  /** Opens the log. @param nodes that are to run, as far as it is known */
  begin(
    run: Run,
    ledger: AttemptLedger | undefined,
    knownMessageIds: readonly string[],
    nodes: readonly string[],
  ): EventWriter {
    const { bus, blobs } = this.#deps;
    const { graphId: graph_id, assistantId: assistant_id } = run;
    this.#ledger = ledger;
    const writer = new EventWriter({
      runId: run.runId,
      kwargs: run.kwargs,
      end: this.#input.end,
      attempt: this.attempt,
      knownMessageIds,
      toldStarts: this.#told.started,
      recovered: this.#recovered,
      journal: { write: (told) => this.#journal(told), tasks: () => this.#tasks() },
      ...(bus && { bus }),
      flush: (batch) => this.#flush(batch),
      putBlob: (content) => blobs.put(run.runId, typeof content === 'string' ? Buffer.from(content) : content),
    });
    this.#writer = writer;
    const again = this.attempt > 1;
    if (this.step === 1 || again) writer.metadata();
    if (this.step === 1) writer.progress('run.started', { graph_id, assistant_id });
    // A node's own failure was told, with its message and delay, by the attempt that it ended.
    const toldBefore = ledger !== undefined && Object.keys(ledger.nodeFailures).length > 0;
    if (again && !toldBefore)
      for (const node of nodes) writer.progress('node.retrying', { node, attempt: this.attempt - 1 });
    if (this.#input.resume !== undefined) writer.progress('run.resumed', { pause: this.#input.progress?.pauses ?? 0 });
    return writer;
  }

  /** For the engine: chunks as they happen. A node that goes on after its end, deaf to its signal, is not heard. */
  readonly emit = (chunk: StreamChunk): void => {
    if (this.#ended) return;
    this.#note(chunk);
    if (isInterrupted(chunk.payload)) this.heldChunks.push(chunk);
    else this.#writer?.chunk(chunk);
  };

  /** Tasks whose results an earlier attempt has told, for whoever was there and for the log. */
  get toldBefore(): ReadonlySet<string> {
    return new Set(this.#told.finished);
  }

  /** @param tasks that had finished when the run came to this superstep: the engine tells them as cached. */
  replays(tasks: readonly string[]): void {
    this.#replayed = tasks;
  }

  get #told(): ToldTasks {
    const known = [this.#ledger?.told, this.#recovered?.told];
    const tasks = (which: keyof ToldTasks) => [...new Set(known.flatMap((told) => told?.[which] ?? []))];
    return { started: tasks('started'), finished: tasks('finished') };
  }

  /** For the engine: what is left running when the attempt is aborted. */
  readonly left = (stopped: Promise<void>): void => {
    this.#stopped = stopped;
  };

  /** What comes before a superstep's tasks; nothing where an earlier attempt has told of them. */
  open(chunks: readonly StreamChunk[]): void {
    const { started } = this.#told;
    for (const chunk of chunks) {
      if (started.length === 0) this.emit(chunk);
      else this.#writer?.passOver(chunk);
    }
  }

  readonly nodeOf = (taskId: string): string => this.#nodes.get(taskId) ?? taskId;

  end(): void {
    this.#ended = true;
    clearInterval(this.#heartbeat);
    this.#abort?.release();
  }

  /** What Temporal is to be told of the exception that ended the attempt; the log and the ledger are told as well. */
  async failure(error: unknown): Promise<Error> {
    const stop = this.#stop(error);
    if (stop === 'none' && isNodeRetryRequest(error)) await this.#noteNodeFailures(error);
    if (stop !== 'none') await this.#untilStopped();
    this.#ended = true;
    const logged = (await this.#writer?.drain()) === 'sent';
    const end = this.#writer?.end ?? attemptStart(this.#input.end, this.attempt);
    if (stop === 'cancel') return cancelled(end);
    const { kind, failure } =
      stop === 'none' ? superstepFailure(error, end) : ({ kind: 'retried', failure: handBack() } as const);
    if (kind === 'retried') {
      const { step, attempt } = this;
      const told = logged ? this.#tasks() : undefined;
      await this.#budget.close(this.#input.run.runId, { step, attempt, told });
    }
    return failure;
  }

  /** `other`: the worker shuts down, or an operator reset or paused the activity. The superstep is to go on elsewhere. */
  #stop(error: unknown): 'none' | 'cancel' | 'other' {
    const { cancellationSignal, cancellationDetails } = this.#context;
    if (cancellationDetails?.cancelRequested === true || this.#abort?.signal.aborted === true) return 'cancel';
    return cancellationSignal.aborted || isGraphDrained(error) ? 'other' : 'none';
  }

  /** Nodes that do not heed their signal are left behind: what they do from then on is neither saved nor told. */
  async #untilStopped(): Promise<void> {
    if (this.#stopped === undefined) return;
    const waiting = new AbortController();
    const stopped = this.#stopped.catch(() => undefined).then(() => 'stopped' as const);
    const patience = delay(STOP_PATIENCE_MS, 'not yet' as const, { signal: waiting.signal }).catch(
      () => 'stopped' as const,
    );
    if ((await Promise.race([stopped, patience])) === 'not yet') {
      const nodes = [...this.#nodes].flatMap(([id, name]) => (this.#finished.has(id) ? [] : [name]));
      this.#context.log.warn('Nodes ignore their abort signal and go on; nothing that they do is kept', { nodes });
    }
    waiting.abort();
  }

  async #noteNodeFailures({ failedAttempts, node, taskId, failures, delayMs, cause }: NodeRetryRequest): Promise<void> {
    const { message } = runErrorOf(cause);
    this.#writer?.progress('node.retrying', { node, task_id: taskId, attempt: failures, delay_ms: delayMs, message });
    const before = this.#ledger?.nodeFailures ?? {};
    for (const [task, count] of Object.entries(failedAttempts)) {
      if (count <= (before[task] ?? 0)) continue;
      // Not counted when storage is away: the node gets an attempt more than its policy grants, rather than none.
      await this.#deps.runs
        .recordNodeFailure(this.#input.run.runId, { step: this.step, taskId: task })
        .catch(() => undefined);
    }
  }

  #note(chunk: StreamChunk): void {
    if (chunk.mode === 'tasks') {
      const { id, name } = chunk.payload as TaskChunk;
      if (chunk.ns.length === 0) this.#nodes.set(id, name);
      if (tellsResult(chunk)) this.#finished.add(id);
    } else if (chunk.mode === 'updates' && chunk.ns.length === 0 && isCached(chunk.payload)) {
      for (const id of this.#replayed) this.#finished.add(id);
    }
  }

  #tasks(): ToldTasks {
    return { started: [...this.#nodes.keys()], finished: [...this.#finished] };
  }

  async #journal({ upTo, tasks, batches }: Told): Promise<void> {
    const { step, attempt } = this;
    const written = await fromStorage(() =>
      this.#deps.steps.journal.write({ runId: this.#input.run.runId, step, attempt }, { upTo, told: tasks, batches }),
    );
    if (written === 'stale') throw new Overtaken();
  }

  async #flush(batch: Batch): Promise<void> {
    const { client, info } = this.#context;
    const handle = client.workflow.getHandle(info.workflowExecution?.workflowId ?? '', this.executionId);
    const signal: AppendEventsSignal = { runId: this.#input.run.runId, batch };
    await client.withDeadline(Date.now() + FLUSH_DEADLINE_MS, () => handle.signal(APPEND_EVENTS_SIGNAL, signal));
  }
}

interface TaskChunk {
  readonly id: string;
  readonly name: string;
}

const isCached = (payload: unknown): boolean =>
  (payload as { readonly __metadata__?: { readonly cached?: unknown } }).__metadata__?.cached === true;
