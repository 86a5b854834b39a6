import { joinEmbeddedPostgres } from '@gatehouse/embedded-postgres';
import pg from 'pg';
import type { Person, World } from '../index.ts';

/** Makes the time when a person last gave the password so old that creating a token asks for it again. */
export async function forgetPassword({ folder }: World, { email }: Person): Promise<void> {
  await using database = await joinEmbeddedPostgres({ dataDir: folder });
  const client = new pg.Client({ connectionString: database?.url });
  await client.connect();
  try {
    const { rowCount } = await client.query(
      `UPDATE sessions SET password_given_at = now() - interval '11 minutes'
       WHERE user_id = (SELECT id FROM users WHERE email = $1)`,
      [email],
    );
    if (rowCount === 0) throw new Error(`${email} has no session`);
  } finally {
    await client.end();
  }
}
