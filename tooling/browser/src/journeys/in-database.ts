import { joinEmbeddedPostgres } from '@gatehouse/embedded-postgres';
import pg from 'pg';
import type { World } from '../index.ts';

/** Changes rows of the world's database, which no page can change, such as times. Throws if there is no such row. */
export async function inDatabase({ folder }: World, statement: string, email: string): Promise<void> {
  await using database = await joinEmbeddedPostgres({ dataDir: folder });
  const client = new pg.Client({ connectionString: database?.url });
  await client.connect();
  try {
    const { rowCount } = await client.query(statement, [email]);
    if (rowCount === 0) throw new Error(`there is no row of ${email}: ${statement}`);
  } finally {
    await client.end();
  }
}
