// What a running task offers to the code inside it: `interrupt()`, conditional edges, and graphs called within. It
// travels in the task's config under one private key.
import type { BaseCheckpointSaver } from '@langchain/langgraph-checkpoint';
import type { RunnableConfig } from '@langchain/core/runnables';
import type { Interrupt, NodeError } from '../errors.js';
import type { StreamChunk, StreamMode } from '../stream-mode.js';
import type { ReplayPoint } from './replay-point.js';
import type { TaskCall } from './task-call.js';

/** Keys that start with `__` stay out of metadata. */
const TASK_CONTEXT_KEY = '__superstep_task';

export interface TaskContext {
  readonly taskId: string;
  readonly node: string;
  /** `parent:id|node:id`: where graphs called in this task keep their checkpoints. */
  readonly checkpointNs: string;
  readonly input: unknown;
  readonly answers: ResumeAnswers;
  /** What it asked when it last ran, and waits for. */
  readonly asked: readonly Interrupt[];
  readonly write: (channel: string, value: unknown) => void;
  /** Runs a `task()` function as a task of the same superstep. */
  readonly call: (call: TaskCall) => Promise<unknown>;
  /** Of a functional graph: what its last run on the thread saved. */
  readonly previous: unknown;
  /** Lent to graphs called in this task. Absent: nothing of the run is kept, and `interrupt()` is an error. */
  readonly saver?: BaseCheckpointSaver;
  /** Streams of the graphs around, where they want chunks from below. */
  readonly stream?: NestedStream;
  /** Answers by interrupt id; graphs below look for theirs. */
  readonly resumeMap?: Readonly<Record<string, unknown>>;
  /** In the superstep with which a run goes on: graphs below go on from the state they have, whatever they are given. */
  readonly resumed?: boolean;
  /** In a time travel: up to which checkpoint graphs below look for their state. */
  readonly replay?: ReplayPoint;
  readonly durability: Durability;
  /** Of an error handler's task: what it handles. */
  readonly nodeError?: NodeError;
  /** Graphs called in this task so far; numbers the namespaces from the second on. */
  subgraphCalls: number;
  /** Calls of graphs that run elsewhere in this attempt; numbers them. */
  remoteCalls: number;
  /** Calls of `task()` functions in this attempt; numbers them. */
  calls: number;
}

/** When checkpoints are saved: before the next superstep, beside it, or only when the run ends. */
export type Durability = 'sync' | 'async' | 'exit';

interface NestedStream {
  readonly modes: ReadonlySet<StreamMode>;
  readonly emit: (chunk: StreamChunk) => void;
}

/** An answer that names no question. */
export interface AnswerForAnyone {
  readonly value: unknown;
  taken: boolean;
}

/** The answers to a task's `interrupt()` calls, in the order of the calls. */
export class ResumeAnswers {
  /** Calls of `interrupt()` in this attempt. */
  private asked = 0;
  /** Whether a graph that runs elsewhere has the answer that no question here has taken. */
  private handedOver = false;

  constructor(
    private readonly answers: unknown[],
    /** For whichever question comes first; each task that is there before it is taken has it. */
    private pending: AnswerForAnyone | undefined,
  ) {}

  /** How many questions have an answer. */
  get count(): number {
    return this.answers.length;
  }

  /** The answer that no question has taken yet; for a graph called in this task. */
  get untaken(): { readonly value: unknown } | undefined {
    return this.pending;
  }

  /** The next question's answer with all up to it, or undefined: it has to be asked. */
  next(): { readonly value: unknown; readonly all: readonly unknown[] } | undefined {
    const index = this.asked++;
    if (index >= this.answers.length) {
      if (this.pending === undefined || this.handedOver) return undefined;
      this.answers.push(this.pending.value);
      this.pending.taken = true;
      this.pending = undefined;
    }
    return { value: this.answers[index], all: this.answers.slice(0, index + 1) };
  }

  /** The untaken answer goes to a question that was asked elsewhere: in this attempt, none of this task gets it. */
  handOver(): { readonly value: unknown } | undefined {
    if (this.pending === undefined || this.handedOver) return undefined;
    this.handedOver = true;
    this.pending.taken = true;
    return this.pending;
  }

  /** For another attempt of the node. */
  restart(): void {
    this.asked = 0;
    this.handedOver = false;
  }
}

export function taskContextOf(config: RunnableConfig | undefined): TaskContext | undefined {
  return config?.configurable?.[TASK_CONTEXT_KEY] as TaskContext | undefined;
}

export function withTaskContext(
  configurable: RunnableConfig['configurable'],
  context: TaskContext,
): NonNullable<RunnableConfig['configurable']> {
  return { ...configurable, [TASK_CONTEXT_KEY]: context };
}
