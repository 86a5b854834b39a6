import { openRelay } from '@gatehouse/test-database';
import { expect, test } from 'vitest';
import { aDatabase } from '../testing/a-database.ts';
import { runHere } from '../testing/run-here.ts';

/**
 * Reads what a client sends: statements are run by Query, which has their text, or by Bind, which has the name that Parse gave to a
 * text. Returns the texts of those that are run.
 */
function statementsIn(bytes: Buffer, prepared: Map<string, string>): readonly string[] {
  const run: string[] = [];
  // Only the first message of a connection has no type.
  for (let at = bytes[0] === 0 ? bytes.readUInt32BE() : 0; at < bytes.length; ) {
    const end = at + 1 + bytes.readUInt32BE(at + 1);
    const [first = '', second = ''] = bytes.toString('utf8', at + 5, end).split('\0');
    const type = String.fromCharCode(bytes[at] ?? 0);
    if (type === 'P') prepared.set(first, second);
    if (type === 'Q') run.push(first);
    if (type === 'B') run.push(prepared.get(second) ?? second);
    at = end;
  }
  return run;
}

test('a command that reads one row opens one connection, and sends five statements', async () => {
  await using database = await aDatabase({ isMigrated: true });
  let connections = 0;
  const statements: string[] = [];
  const prepared = new Map<string, string>();
  await using relay = await openRelay(database.url, {
    accepts() {
      connections += 1;
      return true;
    },
    carry(pass, { bytes, isRequest }) {
      if (isRequest) statements.push(...statementsIn(bytes, prepared));
      pass();
    },
  });
  const { status } = await runHere({ ...database.settings, DATABASE_URL: relay.url }, ['account', 'list']);
  expect(status).toBe(0);
  expect(connections).toBe(1);
  expect(statements).toEqual([
    expect.stringContaining('set statement_timeout'),
    expect.stringContaining('pg_control_system'),
    expect.stringContaining('to_regclass'),
    expect.stringContaining('kysely_migration'),
    expect.stringContaining('from "accounts"'),
  ]);
});
