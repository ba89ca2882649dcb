// From a checked run-create body to what the run's row keeps: config merged, modes checked, addresses in one place.
import { ServiceError } from './errors.js';
import { PLATFORM_STREAM_MODES, type PlatformStreamMode, type RunCreate } from './schemas/runs.js';
import type { Assistant } from '../storage/assistants.js';
import type { JsonObject, RunKwargs, Thread } from '../storage/records.js';

export interface RunSetting {
  readonly runId: string;
  readonly threadId: string;
  readonly assistant: Assistant;
  /** Absent where the run creates it. */
  readonly thread?: Thread;
  readonly headers: JsonObject;
  readonly temporary: boolean;
}

export function runKwargs(body: RunCreate, setting: RunSetting): RunKwargs {
  const { config, checkpoint } = mergeConfig(body, setting);
  const context = mergeContext(setting.assistant.context, body.context);
  return {
    ...(body.input !== undefined && { input: body.input }),
    ...(body.command && { command: withoutAbsent(body.command) }),
    config,
    ...(context !== undefined && { context }),
    ...(Object.keys(checkpoint).length > 0 && { checkpoint }),
    stream_mode: checkStreamModes(body.streamModes),
    stream_subgraphs: body.streamSubgraphs,
    stream_resumable: body.streamResumable,
    ...(body.interruptBefore !== undefined && { interrupt_before: body.interruptBefore }),
    ...(body.interruptAfter !== undefined && { interrupt_after: body.interruptAfter }),
    ...(body.durability !== undefined && { durability: body.durability }),
    ...(body.feedbackKeys.length > 0 && { feedback_keys: body.feedbackKeys }),
    temporary: setting.temporary,
  };
}

/** Which part of the thread's history a run starts from; a config names it as well as `checkpoint` does. */
const CHECKPOINT_KEYS = ['checkpoint_id', 'checkpoint_ns', 'checkpoint_map'] as const;

/**
 * assistant < thread < run, `configurable` key by key. Keys with `__` are the engine's own and not for clients to set;
 * the ids are ours whatever the client says.
 */
function mergeConfig(
  body: RunCreate,
  { runId, threadId, assistant, thread, headers }: RunSetting,
): Pick<RunKwargs, 'config'> & { readonly checkpoint: NonNullable<RunKwargs['checkpoint']> } {
  const layers: readonly JsonObject[] = [assistant.config, thread?.config ?? {}, body.config as JsonObject];
  const merged: JsonObject = {};
  const configurable = Object.assign({}, ...layers.map(configurableOf), headers, tracerOf(body)) as Record<
    string,
    JsonObject[string]
  >;
  Object.assign(merged, ...layers);

  const own = configurableOf(body.config as JsonObject);
  const checkpoint = withoutAbsent(
    Object.fromEntries(CHECKPOINT_KEYS.map((key) => [key, body.checkpoint[key] ?? own[key]])),
  ) as NonNullable<RunKwargs['checkpoint']>;
  for (const key of Object.keys(configurable)) {
    if (key.startsWith('__') || (CHECKPOINT_KEYS as readonly string[]).includes(key)) delete configurable[key];
  }
  return {
    checkpoint,
    config: {
      ...merged,
      configurable: {
        ...configurable,
        run_id: runId,
        thread_id: threadId,
        graph_id: assistant.graphId,
        assistant_id: assistant.assistantId,
      },
    },
  };
}

const configurableOf = (config: JsonObject): JsonObject => {
  const { configurable } = config;
  return typeof configurable === 'object' && configurable !== null && !Array.isArray(configurable)
    ? (configurable as JsonObject)
    : {};
};

const tracerOf = ({ langsmithTracer }: RunCreate): JsonObject =>
  langsmithTracer === undefined
    ? {}
    : (withoutAbsent({
        langsmith_project: langsmithTracer.project_name,
        langsmith_example_id: langsmithTracer.example_id,
      }) as JsonObject);

function mergeContext(base: JsonObject, own: RunCreate['context']): RunKwargs['context'] {
  // Nobody gave any: a graph that has a schema for it takes `configurable` then, as in `invoke()`.
  if (own === undefined) return Object.keys(base).length > 0 ? base : undefined;
  return typeof own === 'object' && own !== null && !Array.isArray(own) ? { ...base, ...own } : own;
}

/** @throws ServiceError UNKNOWN_STREAM_MODE */
export function checkStreamModes(modes: readonly string[]): readonly PlatformStreamMode[] {
  const unknown = modes.find((mode) => !(PLATFORM_STREAM_MODES as readonly string[]).includes(mode));
  if (unknown !== undefined) {
    throw new ServiceError(
      'UNKNOWN_STREAM_MODE',
      `Unknown stream_mode "${unknown.slice(0, 60)}". Use one or several of ${PLATFORM_STREAM_MODES.join(', ')}.`,
      { field: 'stream_mode' },
    );
  }
  return modes.length === 0 ? ['values'] : (modes as readonly PlatformStreamMode[]);
}

const withoutAbsent = (fields: object): object =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== null));
