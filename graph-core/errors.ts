// The engine's errors, in one place. Names, codes and messages are LangGraph's. Guards compare by name: an error may
// have been made by another copy of this module.
import type { Command } from './command.js';

/** What a task asks. Lives here, not beside `interrupt()`, because the error that carries it does. */
export interface Interrupt<Value = unknown> {
  /** 32 hex digits; absent for a NodeInterrupt. The same each time the task runs. */
  readonly id?: string;
  readonly value?: Value;
  /** JSON schema of the answer, where the node gave one. */
  readonly response_schema?: unknown;
}

export type ErrorCode =
  | 'GRAPH_RECURSION_LIMIT'
  | 'INVALID_CONCURRENT_GRAPH_UPDATE'
  | 'INVALID_GRAPH_NODE_RETURN_VALUE'
  | 'MISSING_CHECKPOINTER'
  | 'UNREACHABLE_NODE';

export interface ErrorFields {
  readonly lc_error_code?: ErrorCode;
  readonly cause?: unknown;
}

const TROUBLESHOOTING = 'https://docs.langchain.com/oss/javascript/langgraph/';

export class BaseLangGraphError extends Error {
  readonly lc_error_code?: ErrorCode;

  constructor(message = '', fields: ErrorFields = {}) {
    const code = fields.lc_error_code;
    const pointer = code ? `\n\nTroubleshooting URL: ${TROUBLESHOOTING}${code}/\n` : '';
    super(message + pointer, fields.cause === undefined ? undefined : { cause: fields.cause });
    this.lc_error_code = code;
    this.name = new.target.unminifiable_name;
  }

  static get unminifiable_name(): string {
    return 'BaseLangGraphError';
  }
}

/** The superstep number reached the run's limit. */
export class GraphRecursionError extends BaseLangGraphError {
  static override get unminifiable_name(): string {
    return 'GraphRecursionError';
  }
}

/** The graph was called in a way its set-up does not allow (no checkpointer where one is needed). */
export class GraphValueError extends BaseLangGraphError {
  static override get unminifiable_name(): string {
    return 'GraphValueError';
  }
}

/** A write that its channel, or the graph, cannot take. */
export class InvalidUpdateError extends BaseLangGraphError {
  static override get unminifiable_name(): string {
    return 'InvalidUpdateError';
  }
}

/** Nothing to start or continue with. */
export class EmptyInputError extends BaseLangGraphError {
  static override get unminifiable_name(): string {
    return 'EmptyInputError';
  }
}

/** A channel without a value was read. Raised and caught in passing, so it takes no stack trace. */
export class EmptyChannelError extends BaseLangGraphError {
  constructor(message?: string, fields?: ErrorFields) {
    const limit = Error.stackTraceLimit;
    Error.stackTraceLimit = 0;
    super(message, fields);
    Error.stackTraceLimit = limit;
  }

  static override get unminifiable_name(): string {
    return 'EmptyChannelError';
  }
}

/** No path leads to a node. */
export class UnreachableNodeError extends BaseLangGraphError {
  static override get unminifiable_name(): string {
    return 'UnreachableNodeError';
  }
}

/** An answer that fits no open question, under the strict rules that a caller may ask for. */
export class UnknownInterruptError extends BaseLangGraphError {
  readonly reason: 'not_pending' | 'empty_map' | 'ambiguous';
  readonly interruptIds: readonly string[];
  readonly pendingIds: readonly string[];

  constructor(
    message: string,
    {
      reason,
      interruptIds = [],
      pendingIds = [],
      ...fields
    }: Pick<UnknownInterruptError, 'reason'> &
      Partial<Pick<UnknownInterruptError, 'interruptIds' | 'pendingIds'>> &
      ErrorFields,
  ) {
    super(message, fields);
    this.reason = reason;
    this.interruptIds = interruptIds;
    this.pendingIds = pendingIds;
  }

  static override get unminifiable_name(): string {
    return 'UnknownInterruptError';
  }
}

/** Two graphs of one node would keep their state in one place. Of an earlier LangGraph; nothing throws it any more. */
export class MultipleSubgraphsError extends BaseLangGraphError {
  /** Without the `s`, as LangGraph has it. */
  static override get unminifiable_name(): string {
    return 'MultipleSubgraphError';
  }
}

/** A graph that runs elsewhere failed. */
export class RemoteException extends BaseLangGraphError {
  static override get unminifiable_name(): string {
    return 'RemoteException';
  }
}

/** What `new StateGraph` was given is no state definition. */
export class StateGraphInputError extends BaseLangGraphError {
  constructor(_message?: string, fields?: ErrorFields) {
    super('', fields);
    // Always the same, also with a code.
    this.message =
      'Invalid StateGraph input. Make sure to pass a valid StateDefinition, Annotation.Root, or Zod schema.';
  }

  static override get unminifiable_name(): string {
    return 'StateGraphInputError';
  }
}

/** Not a failure: leaves a node to be handled by the graph around it. Never retried. */
export abstract class GraphBubbleUp extends BaseLangGraphError {
  get is_bubble_up(): true {
    return true;
  }
}

/** A question that is no JSON is for the checkpointer to refuse, in a message that names its node. */
function jsonText(interrupts: readonly Interrupt[]): string {
  try {
    return JSON.stringify(interrupts, null, 2);
  } catch (error) {
    return `An interrupt that is no JSON: ${(error as Error).message}`;
  }
}

/** A task waits for an answer; or, without interrupts, a breakpoint was met. */
export class GraphInterrupt extends GraphBubbleUp {
  readonly interrupts: readonly Interrupt[];

  constructor(interrupts: readonly Interrupt[] = [], fields?: ErrorFields) {
    super(jsonText(interrupts), fields);
    this.interrupts = interrupts;
  }

  static override get unminifiable_name(): string {
    return 'GraphInterrupt';
  }
}

/** Thrown by a node to interrupt without an id; superseded by `interrupt()`. */
export class NodeInterrupt extends GraphInterrupt {
  constructor(value: unknown, fields?: ErrorFields) {
    super([{ value }], fields);
  }

  static override get unminifiable_name(): string {
    return 'NodeInterrupt';
  }
}

/** Carries a `Command({graph: Command.PARENT})` out of a subgraph. */
export class ParentCommand extends GraphBubbleUp {
  /** `graph` is `__parent__` at first, then the checkpoint namespace of the task that takes it. */
  command: Command;

  constructor(command: Command) {
    super();
    this.command = command;
  }

  static override get unminifiable_name(): string {
    return 'ParentCommand';
  }
}

/** The run stopped between supersteps because `RunControl.requestDrain` asked for it; `null` input goes on from there. */
export class GraphDrained extends GraphBubbleUp {
  readonly reason: string;

  constructor(reason = 'shutdown', fields?: ErrorFields) {
    super(`Graph drained: ${reason}`, fields);
    this.reason = reason;
  }

  static override get unminifiable_name(): string {
    return 'GraphDrained';
  }
}

export interface NodeTimeoutFields {
  readonly node: string;
  /** Which limit was passed: of the whole attempt, or of the time without progress. */
  readonly kind: 'run' | 'idle';
  /** Milliseconds since the attempt began. */
  readonly elapsed: number;
  /** As configured, in milliseconds. */
  readonly runTimeout?: number;
  readonly idleTimeout?: number;
}

/** A node's attempt took longer than its timeout allows. Retried like any failure. */
export class NodeTimeoutError extends BaseLangGraphError {
  readonly node: string;
  readonly kind: 'run' | 'idle';
  /** The limit that was passed, in milliseconds. */
  readonly timeout: number;
  readonly elapsed: number;
  readonly runTimeout?: number;
  readonly idleTimeout?: number;

  constructor({ node, kind, elapsed, runTimeout, idleTimeout }: NodeTimeoutFields, fields?: ErrorFields) {
    const timeout = kind === 'idle' ? idleTimeout : runTimeout;
    if (timeout === undefined) throw new Error(`${kind}Timeout is required when kind='${kind}'`);
    super(
      kind === 'idle'
        ? `Node "${node}" exceeded its idle timeout of ${timeout}ms without making progress (elapsed: ${elapsed}ms).`
        : `Node "${node}" exceeded its run timeout of ${timeout}ms (elapsed: ${elapsed}ms).`,
      fields,
    );
    this.node = node;
    this.kind = kind;
    this.timeout = timeout;
    this.elapsed = elapsed;
    this.runTimeout = runTimeout;
    this.idleTimeout = idleTimeout;
  }

  static override get unminifiable_name(): string {
    return 'NodeTimeoutError';
  }
}

/** What a node's error handler is told: which node failed for good, and how. Not an Error itself. */
export class NodeError {
  constructor(
    readonly node: string,
    readonly error: Error,
  ) {}

  static get unminifiable_name(): string {
    return 'NodeError';
  }
}

const named = (error: unknown, ...names: readonly string[]): boolean =>
  typeof error === 'object' && error !== null && names.includes((error as Partial<Error>).name ?? '');

export function isGraphInterrupt(error: unknown): error is GraphInterrupt {
  return named(error, 'GraphInterrupt', 'NodeInterrupt');
}

export function isParentCommand(error: unknown): error is ParentCommand {
  return named(error, 'ParentCommand');
}

export function isGraphDrained(error: unknown): error is GraphDrained {
  return named(error, 'GraphDrained');
}

export function isNodeTimeoutError(error: unknown): error is NodeTimeoutError {
  return named(error, 'NodeTimeoutError');
}

export function isNodeError(value: unknown): value is NodeError {
  if (typeof value !== 'object' || value === null) return false;
  return (value.constructor as Partial<typeof NodeError> | undefined)?.unminifiable_name === 'NodeError';
}

export function isUnknownInterruptError(error: unknown): error is UnknownInterruptError {
  return named(error, 'UnknownInterruptError');
}

export function isGraphBubbleUp(error: unknown): error is GraphBubbleUp {
  return typeof error === 'object' && error !== null && (error as Partial<GraphBubbleUp>).is_bubble_up === true;
}

const INVALID_RESUME = Symbol.for('langgraph.invalid_resume');

/** Marks an error as due to an answer that the question's schema refuses. */
export function markInvalidResume(error: unknown): void {
  if (typeof error === 'object' && error !== null) Object.defineProperty(error, INVALID_RESUME, { value: true });
}

/** How deep a marked error may be wrapped; LangGraph's number. */
const MAX_CAUSES = 10;

/** Whether an answer was refused. The step fails once its other tasks are done, and the question stays open. */
export function isInvalidResume(error: unknown): boolean {
  let current = error;
  for (let depth = 0; depth < MAX_CAUSES && typeof current === 'object' && current !== null; depth += 1) {
    if ((current as { [INVALID_RESUME]?: true })[INVALID_RESUME]) return true;
    current = (current as Error).cause;
  }
  return false;
}

const SEEN_NAMESPACES = Symbol.for('LG_CHECKPOINT_SEEN_NS_SET');

/** Of an earlier LangGraph: where it noted the namespaces of graphs in graphs. Shared by all copies; nothing fills it. */
export function getSubgraphsSeenSet(): Set<string> {
  const shared = globalThis as { [SEEN_NAMESPACES]?: Set<string> };
  return (shared[SEEN_NAMESPACES] ??= new Set());
}

const failedNodes = new WeakMap<object, string>();

/** Notes which node threw. The first to note it is right: graphs around it see the same error pass. */
export function markFailedNode(error: unknown, node: string): void {
  if (typeof error === 'object' && error !== null && !failedNodes.has(error)) failedNodes.set(error, node);
}

/** The node whose failure this is, if a node threw it. */
export function failedNodeOf(error: unknown): string | undefined {
  return typeof error === 'object' && error !== null ? failedNodes.get(error) : undefined;
}
