// A thread as clients see it.
import type { Thread } from '../../storage/records.js';

export const threadView = (thread: Thread) => ({
  thread_id: thread.threadId,
  created_at: thread.createdAt.toISOString(),
  updated_at: thread.updatedAt.toISOString(),
  metadata: thread.metadata,
  status: thread.status,
  config: thread.config,
  values: thread.values,
  interrupts: thread.interrupts,
  error: thread.error,
});
