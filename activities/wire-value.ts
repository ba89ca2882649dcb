import { toWireJson } from '../events/wire-json.js';
import type { Json } from '../storage/records.js';

/** A value as clients see it, for a row. @throws WireJsonError for a value without a JSON form. */
export const toWireValue = (value: unknown): Json => JSON.parse(toWireJson(value)) as Json;
