// Which events a subscriber of a run gets: by channel, by namespace, from where on.
import { nodeOfSegment, type Namespace } from './namespace.js';

/** Channels of the protocol, but for the named ones of `custom`. */
const CHANNELS = [
  'values',
  'updates',
  'messages',
  'tools',
  'lifecycle',
  'input',
  'checkpoints',
  'tasks',
  'custom',
] as const;

/** What can be subscribed to; `custom:x` is what a transformer's channel `x` gets, or what a node calls `x`. */
export type SubscriptionChannel = (typeof CHANNELS)[number] | `custom:${string}`;

export const SUPPORTED_CHANNELS: Set<SubscriptionChannel> = new Set(CHANNELS);

export function isSupportedChannel(value: string): value is SubscriptionChannel {
  return (SUPPORTED_CHANNELS as ReadonlySet<string>).has(value) || value.startsWith('custom:');
}

/** The parts of an event that matter here. */
export interface MatchableEvent {
  readonly method: string;
  readonly seq?: number;
  readonly params: { readonly namespace: Namespace; readonly data?: unknown };
}

export interface Subscription {
  readonly channels: readonly SubscriptionChannel[];
  /** Prefixes; none or an empty list: all. */
  readonly namespaces?: readonly Namespace[];
  /** How many levels below a prefix. */
  readonly depth?: number;
  /** Only events with a greater `seq`. */
  readonly since?: number;
  readonly [key: string]: unknown;
}

/** The channel of an event; undefined for a method of a later protocol. */
export function inferChannel({ method, params }: MatchableEvent): SubscriptionChannel | undefined {
  switch (method) {
    case 'custom': {
      const { name } = (params.data ?? {}) as { readonly name?: unknown };
      return name === undefined || name === null ? 'custom' : `custom:${name as string}`;
    }
    case 'input.requested':
    case 'input.answered':
      return 'input';
    default:
      return CHANNELS.find((channel) => channel === method);
  }
}

export function matchesSubscription(event: MatchableEvent, subscription: Subscription): boolean {
  const { channels, namespaces = [], depth = Infinity, since } = subscription;
  if (typeof since === 'number' && (event.seq ?? 0) <= since) return false;
  const channel = inferChannel(event);
  if (channel === undefined) return false;
  if (!channels.includes(channel) && !(channel.startsWith('custom:') && channels.includes('custom'))) return false;
  const { namespace } = event.params;
  return (
    namespaces.length === 0 ||
    namespaces.some((prefix) => isPrefixMatch(namespace, prefix) && namespace.length - prefix.length <= depth)
  );
}

/** A segment without its task id: `fetcher:1c2d...` → `fetcher`. */
export const normalizeNamespaceSegment = (segment: string): string => nodeOfSegment(segment);

/** A prefix's segment without an id stands for any task of that node. */
export const isPrefixMatch = (namespace: Namespace, prefix: Namespace): boolean =>
  prefix.length <= namespace.length &&
  prefix.every((segment, depth) => {
    const candidate = namespace[depth] ?? '';
    return candidate === segment || (!segment.includes(':') && nodeOfSegment(candidate) === segment);
  });
