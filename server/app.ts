// The Express app: one router for each resource. It does not listen; whoever makes it decides where.
import express, { type Express } from 'express';
import { requireApiKey } from './auth.js';
import { readBody } from './body.js';
import type { ServerContext } from './context.js';
import { allowCrossOrigin } from './cors.js';
import { errorResponses, routeNotFound } from './error-responses.js';
import { assistantRoutes } from './routes/assistants.js';
import { processRunRoutes } from './routes/process-runs.js';
import { runResultRoutes } from './routes/run-results.js';
import { runStreamRoutes } from './routes/run-streams.js';
import { runRoutes } from './routes/runs.js';
import { statelessRunRoutes } from './routes/stateless-runs.js';
import { systemRoutes } from './routes/system.js';
import { threadStateRoutes } from './routes/thread-state.js';
import { threadRoutes } from './routes/threads.js';

export function createApp(context: ServerContext): Express {
  const app = express();
  app.disable('x-powered-by').disable('etag');
  app.use(allowCrossOrigin());
  app.use(systemRoutes({ version: context.version }));
  if (context.apiKey !== undefined) app.use(requireApiKey(context.apiKey));
  app.use(...readBody(context.limits.bodyBytes));
  app.use(
    assistantRoutes(context),
    threadRoutes(context),
    threadStateRoutes(context),
    runRoutes(context),
    runStreamRoutes(context),
    runResultRoutes(context),
    statelessRunRoutes(context),
    processRunRoutes(context),
  );
  app.use(routeNotFound, errorResponses(context.reportFault));
  return app;
}
