import { createHash } from 'node:crypto';
import { sql } from 'kysely';

/** Far above the number of statements: SQL generated at run time must not fill the server's memory. */
const LIMIT = 500;

/**
 * What a statement contains that is planned each time it runs, and so never prepared. After five times, PostgreSQL may
 * keep one plan for all values, and the page of a large account would look at all its tokens.
 */
export const UNPREPARED = '/* planned for its values */';

/** The same as a part of a statement. */
export const PLANNED_FOR_VALUES = sql.raw(UNPREPARED);

const names = new Map<string, string>();

/**
 * Returns the name under which a statement is prepared once per connection, so that it is parsed and planned once;
 * undefined if it should not be prepared.
 */
export function statementName(text: string): string | undefined {
  const known = names.get(text);
  if (known !== undefined || names.size >= LIMIT || text.includes(UNPREPARED)) return known;
  const name = createHash('sha256').update(text).digest('base64url').slice(0, 22);
  names.set(text, name);
  return name;
}
