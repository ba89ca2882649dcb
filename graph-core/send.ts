// `Send`: a task for the next superstep, with an input of its own.
import { timeoutPolicy, type TimeoutPolicy } from './timeout-policy.js';

export interface SendOptions {
  /** Milliseconds, or a policy; stands over the node's own. */
  readonly timeout?: number | TimeoutPolicy;
}

/** Runs `node` in the next superstep with `args` in place of the graph's state. */
export class Send<Node extends string = string, Args = unknown> {
  readonly lg_name = 'Send';
  readonly node: Node;
  readonly args: Args;
  readonly timeout: TimeoutPolicy | undefined;

  /** @throws Error for a timeout that makes no sense. */
  constructor(node: Node, args: Args, options?: SendOptions) {
    this.node = node;
    this.args = args;
    this.timeout = timeoutPolicy(options?.timeout);
  }

  toJSON(): { lg_name: string; node: Node; args: Args; timeout?: TimeoutPolicy } {
    return { lg_name: this.lg_name, node: this.node, args: this.args, timeout: this.timeout };
  }
}

/** By `lg_name`, so that an instance made by another copy of this module counts. Plain objects do not. */
export function isSend(value: unknown): value is Send {
  return (
    typeof value === 'object' &&
    value !== null &&
    (value instanceof Send || ((value as Partial<Send>).lg_name === 'Send' && !isPlainObject(value)))
  );
}

/** What a Send reads as after JSON: an object with `node` and `args`. */
export function isSendLike(value: unknown): value is { node: string; args: unknown; timeout?: TimeoutPolicy } {
  return (
    typeof value === 'object' &&
    value !== null &&
    typeof (value as { node?: unknown }).node === 'string' &&
    (value as { args?: unknown }).args !== undefined
  );
}

/** A Send of either form. */
export function toSend(value: unknown): Send | undefined {
  if (isSend(value)) return value;
  if (!isSendLike(value)) return undefined;
  return new Send(value.node, value.args, value.timeout === undefined ? undefined : { timeout: value.timeout });
}

function isPlainObject(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
