// Requests of the monitoring API. A run is started with the fields of the Platform's run-create body.
import { z } from 'zod';

/** The thread that the run is for; a new one, which is kept, when there is none. */
export const processRunThread = z
  .object({ thread_id: z.uuid().nullish() })
  .transform((body) => ({ threadId: body.thread_id?.toLowerCase() }));

export const processRunCancel = z
  .object({ action: z.enum(['interrupt', 'rollback']).nullish() })
  .transform((body) => ({ action: body.action ?? 'interrupt' }));
