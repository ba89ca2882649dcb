// Engine chunks in the shapes of the Platform: checkpoints under names of its own, without what is internal to a run.

type Fields = Readonly<Record<string, unknown>>;

/** The payload of a `checkpoints`, `tasks` or `debug` frame for an engine chunk of that mode. */
export function platformPayload(mode: 'checkpoints' | 'tasks' | 'debug', payload: unknown): unknown {
  if (!isFields(payload)) return payload;
  switch (mode) {
    case 'checkpoints':
      return { values: payload['values'], metadata: payload['metadata'], next: payload['next'] };
    case 'tasks':
      return task(payload);
    case 'debug':
      return { ...payload, payload: debugPayload(payload['type'], payload['payload']) };
  }
}

function debugPayload(type: unknown, payload: unknown): unknown {
  if (!isFields(payload)) return payload;
  if (type === 'task_result') return task(payload);
  if (type !== 'checkpoint') return payload;
  const { config, parentConfig, tasks, ...rest } = payload;
  return {
    ...rest,
    config: withoutInternals(config),
    parent_config: withoutInternals(parentConfig),
    checkpoint: checkpointOf(config, 'required'),
    parent_checkpoint: checkpointOf(parentConfig, 'required'),
    tasks: Array.isArray(tasks) ? tasks.map(task) : [],
  };
}

/** A task whose state is only told by where it is kept shows that place as `checkpoint`. */
function task(value: unknown): unknown {
  if (!isFields(value)) return value;
  const checkpoint = checkpointOf(value['state'], 'optional');
  if (checkpoint === null) return value;
  const { state: _state, ...rest } = value;
  return { ...rest, checkpoint };
}

function checkpointOf(config: unknown, id: 'required' | 'optional'): Fields | null {
  const configurable = isFields(config) ? config['configurable'] : undefined;
  if (!isFields(configurable) || typeof configurable['thread_id'] !== 'string') return null;
  const checkpointId = configurable['checkpoint_id'];
  if (id === 'required' && typeof checkpointId !== 'string') return null;
  return {
    thread_id: configurable['thread_id'],
    checkpoint_id: checkpointId ?? null,
    checkpoint_ns: configurable['checkpoint_ns'] ?? '',
    checkpoint_map: configurable['checkpoint_map'] ?? null,
  };
}

/** Internals of the engine (`__pregel_*`) and callbacks are functions and handles; they mean nothing outside. */
function withoutInternals(config: unknown): unknown {
  if (!isFields(config) || !isFields(config['configurable'])) return config;
  const { callbacks: _callbacks, ...rest } = config;
  const configurable = Object.entries(config['configurable']).filter(([key]) => !key.startsWith('__'));
  return { ...rest, configurable: Object.fromEntries(configurable) };
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
