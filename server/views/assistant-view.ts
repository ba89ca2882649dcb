// An assistant as clients see it.
import type { Assistant } from '../../storage/assistants.js';

export const assistantView = (assistant: Assistant) => ({
  assistant_id: assistant.assistantId,
  graph_id: assistant.graphId,
  name: assistant.name,
  description: assistant.description,
  version: assistant.version,
  config: assistant.config,
  context: assistant.context,
  metadata: assistant.metadata,
  created_at: assistant.createdAt.toISOString(),
  updated_at: assistant.updatedAt.toISOString(),
});
