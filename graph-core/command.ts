// `Command`: a state update, a way to go and an answer to an interrupt in one value. Nodes return it, callers pass it
// as input.
import { ROOT } from './constants.js';
import { isSendLike, Send, toSend } from './send.js';

export const COMMAND_SYMBOL = Symbol.for('langgraph.command');

export interface CommandParams<Resume = unknown, Update = unknown, Nodes extends string = string> {
  /** The answer to a waiting `interrupt`; or a record of answers by interrupt id. */
  resume?: Resume;
  /** Whose graph it is for: this one (default), or {@link Command.PARENT}. */
  graph?: string;
  /** Written as if the node had returned it. */
  update?: Update;
  /** Nodes to run next, in addition to static edges. */
  goto?: Nodes | Send<Nodes> | readonly (Nodes | Send<Nodes>)[];
}

/** Base of {@link Command}, for types that should not offer its fields. */
export class CommandInstance<Resume = unknown, Update = unknown, Nodes extends string = string> {
  readonly [COMMAND_SYMBOL]: CommandParams<Resume, Update, Nodes>;

  constructor(params: CommandParams<Resume, Update, Nodes>) {
    this[COMMAND_SYMBOL] = params;
  }
}

export class Command<Resume = unknown, Update = unknown, Nodes extends string = string> extends CommandInstance<
  Resume,
  Update,
  Nodes
> {
  /** `graph` for the closest graph around this one. */
  static readonly PARENT = '__parent__';
  readonly lg_name = 'Command';
  /** Tells tool runners to pass a Command on instead of wrapping it in a message. */
  readonly lc_direct_tool_output = true;
  readonly graph?: string;
  readonly update?: Update;
  readonly resume?: Resume;
  readonly goto: readonly (Nodes | Send<Nodes>)[];

  constructor(params: CommandParams<Resume, Update, Nodes>) {
    super(params);
    this.resume = params.resume;
    this.graph = params.graph;
    this.update = params.update;
    const goto = params.goto ? ([params.goto].flat() as readonly (Nodes | Send<Nodes>)[]) : [];
    this.goto = goto.map((to) => (typeof to === 'string' ? to : ((toSend(to) ?? to) as Send<Nodes>)));
  }

  toJSON(): object {
    return {
      lg_name: this.lg_name,
      update: this.update,
      resume: this.resume,
      goto: this.goto.map((to) => (typeof to === 'string' ? to : to.toJSON())),
    };
  }
}

/** By `lg_name`, not by class: two copies of this module may meet. A plain object is no Command. */
export function isCommand(value: unknown): value is Command {
  if (typeof value !== 'object' || value === null) return false;
  if (value instanceof Command) return true;
  if ((value as Partial<Command>).lg_name !== 'Command') return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype !== Object.prototype && prototype !== null;
}

/** A Command's update as channel writes, in order. A bare value goes to the root channel. */
export function updateAsWrites(update: unknown): readonly (readonly [channel: string, value: unknown])[] {
  if (Array.isArray(update) && update.every(isWrite)) return update;
  if (typeof update === 'object' && update !== null && !Array.isArray(update)) return Object.entries(update);
  return [[ROOT, update]];
}

function isWrite(entry: unknown): entry is readonly [string, unknown] {
  return Array.isArray(entry) && entry.length === 2 && typeof entry[0] === 'string';
}

/**
 * Commands and Sends within a JSON value become instances; all else stays as it is, by identity where it can.
 * For what comes from a wire.
 */
export function reviveCommand(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || isCommand(value) || value instanceof Send) return value;
  if (Array.isArray(value)) return value.map(reviveCommand);
  if ((value as Partial<Command>).lg_name === 'Command') return new Command(value);
  return isSendLike(value) ? toSend(value) : value;
}
