// From what a node returned to channel writes. A node's writers run in this order: its update of the state, the `goto`
// of its Commands, its edges, its barrier edges, its conditional edges.
import { Command, isCommand, updateAsWrites } from '../command.js';
import { branchTo, END, ROOT, TASKS } from '../constants.js';
import type { NodeWriter, WriterContext } from '../engine/graph-spec.js';
import { InvalidUpdateError, ParentCommand } from '../errors.js';
import { isSend } from '../send.js';
import { checkDestinations, type Branch, type Destination } from './branch.js';
import type { ParseUpdate } from './validation.js';

type Update = readonly [key: string, value: unknown];

/** The channel that waits for all of several nodes. */
export const barrierChannel = (starts: readonly string[], end: string): string => `join:${starts.join('+')}:${end}`;

/** Writes a node's update to the channels named by `keys`, as parsed; other keys of it are dropped. */
export function stateWriter(node: string, keys: readonly string[], parse?: ParseUpdate): NodeWriter {
  const known = new Set(keys);
  const updatesOf = (output: unknown): readonly Update[] =>
    keys[0] === ROOT ? rootUpdates(output) : keyedUpdates(node, known, output);
  const write = (updates: readonly Update[], context: WriterContext): void => {
    for (const [key, value] of updates) context.write(key, value);
  };
  if (parse === undefined) return (output, context) => write(updatesOf(output), context);
  return async (output, context) => {
    // All or none: a value that does not fit leaves no write of its node behind.
    const parsed = updatesOf(output).map(async ([key, value]) => [key, await parse(key, value)] as const);
    write(await Promise.all(parsed), context);
  };
}

/** Follows the Commands that a node returned, and a Send it returned bare. */
export const commandWriter =
  (node: string): NodeWriter =>
  (output, context) => {
    if (isSend(output)) return follow(node, [output], context);
    const destinations: unknown[] = [];
    for (const command of commandsIn(output)) {
      // Not ours to carry out: it ends this graph's task, and the nearest parent's writers get it.
      if (command.graph === Command.PARENT) throw new ParentCommand(command);
      destinations.push(...command.goto);
    }
    follow(node, checkDestinations(destinations), context);
  };

export const edgeWriter =
  (end: string): NodeWriter =>
  (_output, context) =>
    context.write(branchTo(end), null);

export const barrierWriter =
  (channel: string, node: string): NodeWriter =>
  (_output, context) =>
    context.write(channel, node);

/** `reads`: the state keys that the router sees. */
export const branchWriter =
  (node: string, branch: Branch, reads: string | readonly string[]): NodeWriter =>
  async (_output, context) =>
    follow(node, await branch.route(context.readFresh(reads), context.config), context);

function follow(from: string, destinations: readonly Destination[], context: WriterContext): void {
  for (const destination of destinations) {
    if (isSend(destination)) context.write(TASKS, destination);
    else if (destination !== END) context.write(branchTo(destination), from);
  }
}

function commandsIn(output: unknown): Command[] {
  if (isCommand(output)) return [output];
  return Array.isArray(output) ? (output as unknown[]).filter(isCommand) : [];
}

/** A Command for the parent updates the parent's state, not this graph's. */
const tuplesOf = (command: Command): readonly Update[] =>
  command.graph === Command.PARENT ? [] : updateAsWrites(command.update);

function keyedUpdates(node: string, keys: ReadonlySet<string>, output: unknown): readonly Update[] {
  if (!output) return [];
  const known = (updates: readonly Update[]): readonly Update[] => updates.filter(([key]) => keys.has(key));
  if (isCommand(output)) return known(tuplesOf(output));
  if (Array.isArray(output)) {
    const items = output as unknown[];
    if (items.some(isCommand)) return items.flatMap((item) => keyedUpdates(node, keys, item));
  } else if (typeof output === 'object') {
    return known(Object.entries(output));
  }
  throw new InvalidUpdateError(
    `Expected node "${node}" to return an object or an array containing at least one Command object, ` +
      `received ${Array.isArray(output) ? 'array' : typeof output}`,
    { lc_error_code: 'INVALID_GRAPH_NODE_RETURN_VALUE' },
  );
}

/** A graph whose whole state is one channel. */
function rootUpdates(output: unknown): readonly Update[] {
  if (isCommand(output)) return tuplesOf(output);
  if (Array.isArray(output) && (output as unknown[]).some(isCommand)) {
    return (output as unknown[]).flatMap((item) => (isCommand(item) ? tuplesOf(item) : [[ROOT, item] as const]));
  }
  return output === null || output === undefined ? [] : [[ROOT, output]];
}
