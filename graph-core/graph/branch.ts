import { Runnable, _coerceToRunnable, type RunnableConfig, type RunnableLike } from '@langchain/core/runnables';
import { END } from '../constants.js';
import type { NodeConfig } from '../engine/node-config.js';
import { InvalidUpdateError } from '../errors.js';
import { isSend, type Send } from '../send.js';

/** Where a conditional edge may lead: a node, `END`, or a task of its own by Send. */
export type Destination = string | Send;

/** Labels that a router may return and the nodes they stand for. A list stands for itself. */
export type PathMap = Readonly<Record<string, string>> | readonly string[];

/** A conditional edge. */
export class Branch {
  readonly path: Runnable<unknown, unknown>;
  /** Absent: the router names nodes itself, and may name any. */
  readonly ends: Readonly<Record<string, string>> | undefined;

  constructor(path: RunnableLike<never, unknown>, pathMap?: PathMap) {
    this.path = Runnable.isRunnable(path)
      ? (path as Runnable<unknown, unknown>)
      : _coerceToRunnable<unknown, unknown, RunnableConfig>(path as RunnableLike<unknown, unknown>);
    this.ends = isList(pathMap) ? Object.fromEntries(pathMap.map((node) => [node, node])) : pathMap;
  }

  /** What `addConditionalEdges` tells two routers of one node apart by: functions are all called `condition`. */
  get name(): string {
    const name = this.path.getName();
    return name === 'RunnableLambda' ? 'condition' : name;
  }

  /** @throws Error if the router's answer is no destination, or not in the map. */
  async route(state: unknown, config: NodeConfig): Promise<Destination[]> {
    const answer = await this.path.invoke(state, config);
    const { ends } = this;
    const answers: unknown[] = Array.isArray(answer) ? answer : [answer];
    return checkDestinations(answers.map((one) => (ends === undefined || isSend(one) ? one : ends[one as string])));
  }
}

/** @throws Error for anything that leads nowhere; InvalidUpdateError for a Send to `END`. */
export function checkDestinations(destinations: readonly unknown[]): Destination[] {
  if (destinations.some((destination) => !destination)) {
    throw new Error('Branch condition returned unknown or null destination');
  }
  if (destinations.some((destination) => isSend(destination) && destination.node === END)) {
    throw new InvalidUpdateError('Cannot send a packet to the END node');
  }
  return destinations as Destination[];
}

const isList = (map: PathMap | undefined): map is readonly string[] => Array.isArray(map);
