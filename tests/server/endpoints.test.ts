import { readFileSync } from 'node:fs';
import type { Express } from 'express';
import { expect, test } from '@jest/globals';
import { createApp } from '../../server/app.js';
import type { ServerContext } from '../../server/context.js';

/** As much of an Express router as tells its routes; Express does not type it. */
interface Layer {
  readonly route?: { readonly path: string; readonly methods: Readonly<Record<string, boolean>> };
  readonly handle: { readonly stack?: readonly Layer[] };
}

function routesOf(app: Express): string[] {
  const walk = ({ route, handle }: Layer): string[] =>
    route
      ? Object.keys(route.methods).map(
          (method) => `${method.toUpperCase()} ${route.path.replaceAll(/:(\w+)/g, '{$1}')}`,
        )
      : (handle.stack ?? []).flatMap(walk);
  return (app.router as unknown as { readonly stack: readonly Layer[] }).stack.flatMap(walk);
}

test('docs/reference/endpoints.md lists every route of the app, and no other', () => {
  // Routers take what they need when a request comes: nothing of the context is used here but its limits.
  const context = { limits: { bodyBytes: 1, heartbeatMs: 1, pollMs: 1 }, version: '0' } as unknown as ServerContext;
  const documented = readFileSync('docs/reference/endpoints.md', 'utf8')
    .split('\n')
    .filter((line) => /^\| [A-Z]+ +\| `/.test(line))
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .map(([, method, path]) => `${method} ${path?.replaceAll('`', '')}`);
  expect(documented.toSorted()).toEqual(routesOf(createApp(context)).toSorted());
});
