import { createHash } from 'node:crypto';
import { sql } from 'kysely';

/**
 * The largest number of statements that a connection prepares. Gatehouse has fewer statements. With a limit, SQL that
 * is made at run time cannot fill memory.
 */
const LIMIT = 500;

/**
 * Marks a statement that is never prepared, so that PostgreSQL plans it each time for its values. After five runs of a
 * prepared statement, PostgreSQL may keep one plan for all values. With that plan, a statement that lists 20 tokens of
 * a large account could read all tokens of the account.
 */
export const UNPREPARED = '/* planned for its values */';

/** `UNPREPARED` as a part of a statement. */
export const PLANNED_FOR_VALUES = sql.raw(UNPREPARED);

/**
 * Creates the names under which a pool's connections prepare statements, so that each statement is parsed and planned
 * once per connection. The returned function returns the name of a statement; undefined if the statement should not be
 * prepared.
 */
export function createStatementNames() {
  const names = new Map<string, string>();
  return (text: string): string | undefined => {
    const known = names.get(text);
    if (known !== undefined || names.size >= LIMIT || text.includes(UNPREPARED)) return known;
    const name = createHash('sha256').update(text).digest('base64url').slice(0, 22);
    names.set(text, name);
    return name;
  };
}
