import { joinEmbeddedPostgres } from '@gatehouse/embedded-postgres';
import pg from 'pg';
import type { World } from '../index.ts';

/** Stores many copies of a token within milliseconds, with other names and ids. They have no secrets. */
export async function copyToken({ folder }: World, id: string, names: readonly string[]): Promise<void> {
  await using database = await joinEmbeddedPostgres({ dataDir: folder });
  const client = new pg.Client({ connectionString: database?.url });
  await client.connect();
  try {
    await client.query(
      `INSERT INTO tokens
         SELECT (jsonb_populate_record(token, jsonb_build_object(
           'id', overlay(gen_random_uuid()::text PLACING '7' FROM 15 FOR 1), 'name', given.name))).*
         FROM tokens AS token, unnest($2::text[]) AS given (name) WHERE token.id = $1`,
      [id, names],
    );
  } finally {
    await client.end();
  }
}
