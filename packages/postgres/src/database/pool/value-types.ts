import type { Instant } from '@gatehouse/domain/time';
import pg from 'pg';

const TIMESTAMPTZ = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d(?:\.\d{1,3})?)([+-]\d\d)(?::(\d\d))?$/;

/** Parses an int8. Throws for a number that JavaScript cannot represent exactly, so that no id is taken for another one. */
function parseInt8(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`int8 ${text} is not a safe integer`);
  return value;
}

/** Parses a timestamptz(3) in any time zone of the session. */
function parseTimestamp(text: string): Instant {
  const parts = TIMESTAMPTZ.exec(text);
  if (!parts) throw new RangeError(`timestamptz ${text} is not an instant`);
  const [, date, time, hours, minutes = '00'] = parts;
  return Date.parse(`${date}T${time}${hours}:${minutes}`) as Instant;
}

/**
 * Creates parsers for values from PostgreSQL, in addition to pg's own. A date is read as its text, such as 2027-01-31.
 * A date has no time zone, and pg would convert it to midnight in the time zone of this machine.
 */
export function createValueTypes() {
  const types = new pg.TypeOverrides();
  types.setTypeParser(pg.types.builtins.INT8, parseInt8);
  types.setTypeParser(pg.types.builtins.TIMESTAMPTZ, parseTimestamp);
  types.setTypeParser(pg.types.builtins.DATE, (text) => text);
  return types;
}
