// JSON on its way into Postgres. A `json` column keeps the text as it is, and so any string; `jsonb`, which containment
// needs, refuses U+0000 and lone surrogates. So what is searched is kept twice where, and only where, that matters:
// the text as it is, and a searchable form in which such characters are written as private-use sequences.
import { sql, type RawBuilder } from 'kysely';

/** Opens a sequence: itself once more, or four hex digits. U+F8FF has no meaning of its own. */
const ESCAPE = '\uf8ff';
// Lone surrogates: a high one without a low one behind it, a low one without a high one before it.
const REFUSED = /[\0\uf8ff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;
const SEQUENCE = /\uf8ff(\uf8ff|[0-9a-f]{4})/g;

/** For a `json` column. @throws TypeError for what JSON cannot say (a bigint, a cycle). */
export const jsonText = (value: unknown): string => JSON.stringify(value);

/** For a `json` column that may be null. */
export const jsonTextOrNull = (value: unknown): string | null =>
  value === null || value === undefined ? null : jsonText(value);

/** For a `jsonb` column or operand: as {@link jsonText}, with every string made acceptable. Injective. */
const searchableText = (value: unknown): string => jsonText(searchable(value));

/** For a `*_search` column: null where the plain text can be searched as it is. */
export function searchColumn(value: unknown): string | null {
  const plain = jsonText(value);
  // JSON.stringify writes the refused characters as escapes, but U+F8FF as it is.
  if (!plain.includes(ESCAPE) && !/\\u(0000|d[89a-f])/i.test(plain)) return null;
  return searchableText(value);
}

/** The searchable form of a value; of strings and keys. */
export function searchable(value: unknown): unknown {
  return mapStrings(value, (text) =>
    text.replace(
      REFUSED,
      (char) => ESCAPE + (char === ESCAPE ? ESCAPE : char.charCodeAt(0).toString(16).padStart(4, '0')),
    ),
  );
}

/** Inverse of {@link searchable}. */
export function original(value: unknown): unknown {
  return mapStrings(value, (text) =>
    text.replace(SEQUENCE, (_, code: string) => (code === ESCAPE ? ESCAPE : String.fromCharCode(parseInt(code, 16)))),
  );
}

function mapStrings(value: unknown, map: (text: string) => string): unknown {
  if (typeof value === 'string') return map(value);
  if (Array.isArray(value)) return value.map((item) => mapStrings(item, map));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [map(key), mapStrings(item, map)]));
}

/**
 * `column` contains `part`, as `jsonb` understands it. The expression on the left is the one that is indexed
 * (migrations/0001-threads-and-runs.ts).
 */
export function contains(column: 'metadata' | 'values', part: unknown): RawBuilder<boolean> {
  const whole = sql`coalesce(${sql.ref(`${column}_search`)}, ${sql.ref(column)}::jsonb)`;
  return sql<boolean>`${whole} @> ${searchableText(part)}::jsonb`;
}
