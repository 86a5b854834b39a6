import { createHash } from 'node:crypto';

/** Far above the number of statements: SQL generated at run time must not fill the server's memory. */
const LIMIT = 500;

const names = new Map<string, string>();

/**
 * Returns the name under which a statement is prepared once per connection, so that it is parsed and planned once;
 * undefined if it should not be prepared.
 */
export function statementName(sql: string): string | undefined {
  const known = names.get(sql);
  if (known !== undefined || names.size >= LIMIT) return known;
  const name = createHash('sha256').update(sql).digest('base64url').slice(0, 22);
  names.set(sql, name);
  return name;
}
