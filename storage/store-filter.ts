// The `filter` of a store's search as conditions on an item's value: plain values, and the operators of BaseStore.
import { sql, type RawBuilder } from 'kysely';
import { jsonText, searchable } from './json-text.js';

type Condition = RawBuilder<boolean>;

const document = sql`coalesce(value_search, value::jsonb)`;

/** @param wanted a value that the field must equal, or operators: `{ $gte: 3, $lt: 5 }`. */
export function filterCondition(field: string, wanted: unknown): Condition {
  const found = sql`(${document} -> ${searchable(field)}::text)`;
  if (!isOperators(wanted)) return equals(found, wanted);
  const conditions = Object.entries(wanted).map(([operator, operand]) => OPERATORS[operator]!(found, operand));
  return conditions.length === 0 ? sql`true` : sql`(${sql.join(conditions, sql` and `)})`;
}

type Comparison = (found: RawBuilder<unknown>, operand: unknown) => Condition;

/** An order is one of numbers; a field that is none, or is not there, has no place in it. */
const ordered =
  (operator: '>' | '>=' | '<' | '<='): Comparison =>
  (found, operand) =>
    Number.isNaN(Number(operand))
      ? sql`false`
      : sql`coalesce(${numberOf(found)} ${sql.raw(operator)} ${Number(operand)}::double precision, false)`;

const oneOf: Comparison = (found, operand) => {
  if (!Array.isArray(operand) || operand.length === 0) return sql`false`;
  return sql`(${sql.join(
    operand.map((value) => equals(found, value)),
    sql` or `,
  )})`;
};

const OPERATORS: Readonly<Record<string, Comparison>> = {
  $eq: (found, operand) => equals(found, operand),
  $ne: (found, operand) => sql`not ${equals(found, operand)}`,
  $gt: ordered('>'),
  $gte: ordered('>='),
  $lt: ordered('<'),
  $lte: ordered('<='),
  $in: oneOf,
  $nin: (found, operand) => sql`not ${oneOf(found, operand)}`,
};

const isOperators = (wanted: unknown): wanted is Readonly<Record<string, unknown>> =>
  typeof wanted === 'object' &&
  wanted !== null &&
  !Array.isArray(wanted) &&
  Object.keys(wanted).every((key) => key in OPERATORS);

const equals = (found: RawBuilder<unknown>, wanted: unknown): Condition =>
  wanted === undefined
    ? sql`${found} is null`
    : sql`coalesce(${found} = ${jsonText(searchable(wanted))}::jsonb, false)`;

/** Null where it is no number and reads as none. */
const numberOf = (found: RawBuilder<unknown>): RawBuilder<number | null> => sql`
  case when jsonb_typeof(${found}) = 'number' or ${found} #>> '{}' ~ '^\\s*[+-]?[0-9]{1,30}(\\.[0-9]{1,30})?\\s*$'
    then (${found} #>> '{}')::double precision end`;
