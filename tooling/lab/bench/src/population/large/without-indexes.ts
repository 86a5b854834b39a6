import type pg from 'pg';
import { say } from '../../say.ts';

/**
 * Runs `fill` while the tables have no indexes but those of their constraints, and then builds the other indexes: built
 * at once they take a fraction of the time, and are as dense as after a REINDEX.
 */
export async function withoutIndexes(
  client: pg.Client,
  tables: readonly string[],
  fill: () => Promise<void>,
): Promise<void> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `SELECT indexrelid::regclass::text AS name, pg_get_indexdef(indexrelid) AS definition
     FROM pg_index WHERE indrelid = ANY ($1::regclass[])
       AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid)`,
    [tables],
  );
  for (const { name } of rows) await client.query(`DROP INDEX ${name}`);
  await fill();
  await client.query(`SET maintenance_work_mem = '1GB'`);
  for (const [done, { name, definition }] of rows.entries()) {
    say(`building ${name} (${done + 1} of ${rows.length})`);
    await client.query(definition);
  }
  await client.query('RESET maintenance_work_mem');
}
