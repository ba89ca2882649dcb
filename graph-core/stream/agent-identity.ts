// What tasks tell of the agents behind namespaces: their names, and the tool calls that set them going.
import { namespaceKey, type Namespace } from './namespace.js';
import type { LifecycleCause } from './protocol.js';

type Fields = Readonly<Record<string, unknown>>;

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export class AgentIdentities {
  /** Names that agents give their runs (`lc_agent_name`), by namespace; the first task decides. */
  readonly #names = new Map<string, string | undefined>();
  /** Ids of the tool calls that tasks were made for, by task. */
  readonly #toolCalls = new Map<string, string>();
  /** Causes that an agent library has told itself. */
  readonly #causes = new Map<string, LifecycleCause>();

  /** @param task data of a `tasks` event at the start of a task. */
  learn(namespace: Namespace, task: unknown): void {
    if (!isFields(task)) return;
    const key = namespaceKey(namespace);
    if (!this.#names.has(key)) {
      const name = isFields(task['metadata']) ? task['metadata']['lc_agent_name'] : undefined;
      this.#names.set(key, typeof name === 'string' && name !== '' ? name : undefined);
    }
    const toolCallId = toolCallOf(task['input']);
    if (toolCallId !== undefined && typeof task['id'] === 'string') this.#toolCalls.set(task['id'], toolCallId);
  }

  /** @param data of a `lifecycle` event that comes from outside. */
  learnCause(namespace: Namespace, data: unknown): void {
    if (!isFields(data) || data['event'] !== 'started' || !isFields(data['cause'])) return;
    const { cause } = data;
    if (typeof cause['type'] === 'string')
      this.#causes.set(namespaceKey(namespace), cause as unknown as LifecycleCause);
  }

  nameOf(namespace: Namespace): string | undefined {
    return this.#names.get(namespaceKey(namespace));
  }

  causeOf(namespace: Namespace): LifecycleCause | undefined {
    return this.#causes.get(namespaceKey(namespace)) ?? this.#toolCallCause(namespace);
  }

  /** Only of named agents. A graph's last segment, `node:taskId`, has the task that called it. */
  #toolCallCause(namespace: Namespace): LifecycleCause | undefined {
    const segment = namespace.at(-1);
    if (segment === undefined || this.nameOf(namespace) === undefined) return undefined;
    const toolCallId = this.#toolCalls.get(segment.slice(segment.indexOf(':') + 1));
    return toolCallId ? { type: 'toolCall', tool_call_id: toolCallId } : undefined;
  }
}

/** Of a task sent for one call, or for a list of calls. */
function toolCallOf(input: unknown): string | undefined {
  const calls = Array.isArray(input) ? (input as unknown[]) : isFields(input) ? [input['tool_call']] : [];
  for (const call of calls) if (isFields(call) && typeof call['id'] === 'string') return call['id'];
  return undefined;
}
