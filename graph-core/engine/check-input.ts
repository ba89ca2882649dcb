// What a caller passes, checked by the graph's schemas before a run begins with it.
import { Command, updateAsWrites } from '../command.js';
import type { ExecutableGraph } from './executable-graph.js';
import type { RunInput } from './superstep-contract.js';

type Parses = Pick<ExecutableGraph, 'spec'>;

/**
 * New input, or a Command's update, as the graph's schema makes it. Nothing else is looked at.
 * @throws the schema's error for a value that does not fit.
 */
export async function checkInput({ spec: { parseInput } }: Parses, input: RunInput): Promise<RunInput> {
  if (parseInput === undefined) return input;
  switch (input.kind) {
    case 'nothing':
      return input;
    case 'input':
      return { kind: 'input', value: await parseInput(input.value) };
    case 'command':
      return { kind: 'command', command: await checkCommand(parseInput, input.command) };
  }
}

async function checkCommand(parse: (input: unknown) => unknown, command: Command): Promise<Command> {
  if (!command.update) return command;
  const given = Object.fromEntries(updateAsWrites(command.update));
  const parsed = (await parse(given)) as Readonly<Record<string, unknown>>;
  // Keys that the Command does not name are not its business, defaults of them included.
  const update = Object.fromEntries(Object.keys(given).map((key) => [key, parsed[key]]));
  const { resume, graph, goto } = command;
  return new Command({ resume, graph, goto, update });
}

/** @throws the schema's error. Without a context, `configurable` is taken for it. */
export async function checkContext(
  { spec: { parseContext } }: Parses,
  config: { readonly context?: unknown; readonly configurable?: unknown },
): Promise<void> {
  await parseContext?.(config.context === undefined ? config.configurable : config.context);
}
