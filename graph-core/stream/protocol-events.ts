// From a run's chunks to the events of a run stream.
import type { StreamMode } from '../stream-mode.js';
import type { Namespace } from './namespace.js';
import type { ProtocolEvent, ToolsEventData, UpdatesEventData } from './protocol.js';

/**
 * What a run stream asks the engine for. `checkpoints` events come without being asked for, as envelopes before the values
 * of each; `debug` would say nothing new.
 */
export const STREAM_EVENTS_V3_MODES: StreamMode[] = ['values', 'updates', 'messages', 'tools', 'custom', 'tasks'];

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

/** Whether a `checkpoints` payload names a checkpoint only, and does not hold its state. */
export function isCheckpointEnvelope(payload: unknown): boolean {
  if (!isFields(payload)) return false;
  const named = typeof payload['id'] === 'string' && ('source' in payload || typeof payload['step'] === 'number');
  return named && !('values' in payload) && !('config' in payload);
}

export interface ConvertToProtocolEventOptions {
  readonly namespace: Namespace;
  readonly mode: StreamMode;
  readonly payload: unknown;
  /** Of the event. */
  readonly seq: number;
}

/** @returns one event, or none for a mode that has no events. */
export function convertToProtocolEvent({
  namespace,
  mode,
  payload,
  seq,
}: ConvertToProtocolEventOptions): ProtocolEvent[] {
  const content = contentOf(mode, payload);
  if (content === undefined) return [];
  const { node, data } = content;
  const params = { namespace, timestamp: Date.now(), ...(node !== undefined && { node }), data };
  return [{ type: 'event', seq, method: mode, params }];
}

interface Content {
  readonly node?: string;
  readonly data: unknown;
}

function contentOf(mode: StreamMode, payload: unknown): Content | undefined {
  switch (mode) {
    case 'values':
    case 'tasks':
      return { data: payload };
    case 'checkpoints':
      return isCheckpointEnvelope(payload) ? { data: payload } : undefined;
    case 'messages':
      return messagesContent(payload);
    case 'tools':
      return { data: toolsData(payload) };
    case 'updates':
      return updatesContent(payload);
    case 'custom':
      return { data: isFields(payload) && !Array.isArray(payload) && 'name' in payload ? payload : { payload } };
    case 'debug':
    default:
      return undefined;
  }
}

/** A pair of event and metadata, of which the node and the model's run are kept. */
function messagesContent(payload: unknown): Content {
  if (!Array.isArray(payload) || payload.length !== 2) return { data: payload };
  const [event, metadata] = payload as [unknown, unknown];
  if (!isFields(metadata)) return { data: payload };
  const { langgraph_node: node, run_id: runId } = metadata;
  const data = typeof runId === 'string' && isFields(event) ? { ...event, run_id: runId } : event;
  return { data, ...(typeof node === 'string' && node !== '' && { node }) };
}

function updatesContent(payload: unknown): Content {
  const [update] = isFields(payload) ? Object.entries(payload) : [];
  if (update === undefined) return { data: { values: {} } };
  const [node, written] = update;
  const values = isFields(written) ? written : { value: written };
  return { node, data: { node, values } satisfies UpdatesEventData };
}

function toolsData(payload: unknown): ToolsEventData {
  if (!isFields(payload)) {
    return { event: 'tool-error', tool_call_id: '', message: 'Unexpected tools payload shape' };
  }
  const { event, toolCallId, name, input, data, output, error } = payload;
  const tool_call_id = text(toolCallId, '');
  switch (event) {
    case 'on_tool_start':
      return { event: 'tool-started', tool_call_id, tool_name: text(name, 'unknown'), input };
    case 'on_tool_event': {
      const delta = typeof data === 'string' ? data : JSON.stringify(data ?? '');
      return { event: 'tool-output-delta', tool_call_id, delta };
    }
    case 'on_tool_end':
      return { event: 'tool-finished', tool_call_id, output };
    case 'on_tool_error': {
      const message = isFields(error) && typeof error['message'] === 'string' ? error['message'] : undefined;
      return { event: 'tool-error', tool_call_id, message: message ?? text(error, 'unknown error') };
    }
    default:
      return { event: 'tool-error', tool_call_id: '', message: `Unknown tool event: ${String(event)}` };
  }
}

// eslint-disable-next-line @typescript-eslint/no-base-to-string -- whatever a tool has thrown
const text = (value: unknown, otherwise: string): string => String(value ?? otherwise);
