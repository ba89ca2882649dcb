// Checks a part of a request against its schema; what fails is an INVALID_REQUEST that names every field at fault.
import type { z } from 'zod';
import { ServiceError, type ValidationIssue } from './errors.js';

/** @throws ServiceError INVALID_REQUEST */
export function parse<Schema extends z.ZodType>(schema: Schema, part: unknown): z.output<Schema> {
  const result = schema.safeParse(part);
  if (result.success) return result.data;
  const issues = result.error.issues.map(toIssue);
  const first = issues[0];
  const field = first && first.path.length > 0 ? first.path.join('.') : undefined;
  throw new ServiceError('INVALID_REQUEST', first ? describe(field, first.message) : 'Invalid request', {
    issues,
    ...(field !== undefined && { field }),
  });
}

const describe = (field: string | undefined, message: string): string =>
  field === undefined ? message : `${field}: ${message}`;

const toIssue = (issue: z.core.$ZodIssue): ValidationIssue => ({
  code: issue.code,
  path: issue.path.map((key) => (typeof key === 'symbol' ? String(key) : key)),
  message: issue.message,
});
