// What a request's headers add to the config of the runs it creates: every `x-*` header and the user agent, lower case,
// except those that carry credentials.
import type { IncomingHttpHeaders } from 'node:http';
import type { JsonObject } from '../storage/records.js';

const CREDENTIALS: ReadonlySet<string> = new Set(['x-api-key', 'x-tenant-id', 'x-service-key']);

export function configurableHeaders(headers: IncomingHttpHeaders): JsonObject {
  const picked = Object.entries(headers).flatMap(([name, value]): [string, string][] => {
    const wanted = (name.startsWith('x-') && !CREDENTIALS.has(name)) || name === 'user-agent';
    if (!wanted || value === undefined) return [];
    return [[name, Array.isArray(value) ? value.join(', ') : value]];
  });
  return Object.fromEntries(picked);
}
