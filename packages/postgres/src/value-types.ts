import type { Instant } from '@gatehouse/domain';
import pg from 'pg';

const TIMESTAMPTZ = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d(?:\.\d{1,3})?)([+-])(\d\d)(?::(\d\d))?$/;

/** Reads an int8. Ids are safe integers: one that JavaScript cannot hold exactly must not pass for another. */
export function parseInt8(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`int8 ${text} is not a safe integer`);
  return value;
}

/** Reads a timestamptz(3) in whatever zone the session writes it. */
export function parseTimestamp(text: string): Instant {
  // The server's zone is UTC as a rule.
  if (text.endsWith('+00')) return exact(Date.parse(`${text.slice(0, 10)}T${text.slice(11, -3)}Z`), text);
  const [, date, time, sign, hours, minutes = '00'] = TIMESTAMPTZ.exec(text) ?? [];
  return exact(Date.parse(`${date}T${time}${sign}${hours}:${minutes}`), text);
}

function exact(milliseconds: number, text: string): Instant {
  if (Number.isNaN(milliseconds)) throw new RangeError(`timestamp ${text} is not an instant`);
  return milliseconds as Instant;
}

/** How values come out of PostgreSQL, besides pg's own ways. */
export function createValueTypes() {
  const types = new pg.TypeOverrides();
  types.setTypeParser(pg.types.builtins.INT8, parseInt8);
  types.setTypeParser(pg.types.builtins.TIMESTAMPTZ, parseTimestamp);
  return types;
}
