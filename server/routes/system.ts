// Whether the service is up, and what it is.
import { Router } from 'express';

export interface ServiceInfo {
  readonly version: string;
}

/** Open to everybody: health checks and clients that look for a server send no key. */
export const systemRoutes = ({ version }: ServiceInfo): Router =>
  Router()
    .get('/ok', (_req, res) => {
      res.json({ ok: true });
    })
    .get('/info', (_req, res) => {
      res.json({
        version,
        context: 'js',
        flags: { assistants: true, crons: false, langsmith: false, langsmith_tracing_replicas: false },
      });
    });
