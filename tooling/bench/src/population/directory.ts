import { createArgon2PasswordHasher } from '@gatehouse/password-argon2';
import type pg from 'pg';
import { withClient } from '../stage.ts';

/** The numbers of tokens, of organizations, and in proportion of accounts and users. */
export interface DirectorySize {
  readonly organizations: number;
  readonly users: number;
  readonly accounts: number;
}

export const PASSWORD = 'correct horse battery staple';

export function emailOf(userId: number): string {
  return `user-${userId}@bench.example`;
}

export function directorySize(organizations: number): DirectorySize {
  return { organizations, users: Math.ceil(organizations / 10), accounts: Math.ceil(organizations / 100) };
}

/** Returns the account of the n-th user or organization, which are assigned in turn. */
export function accountOf(id: number, { accounts }: DirectorySize): number {
  return ((id - 1) % accounts) + 1;
}

/** Fills an empty directory by plain SQL, because a million use cases take too long. Every user is an admin. */
export async function fillDirectory(url: string, size: DirectorySize): Promise<void> {
  const hashed = await createArgon2PasswordHasher({ concurrency: 1, queueLimit: 0 }).hash(PASSWORD);
  if (!hashed.ok) throw new Error(hashed.error.code);
  await withClient(url, async (client) => {
    await client.query(
      `INSERT INTO accounts (name, created_at) SELECT 'Account ' || n, now() FROM generate_series(1, $1::int) n`,
      [size.accounts],
    );
    await client.query(
      `INSERT INTO users (account_id, email, email_key, name, role, password_hash, created_at)
       SELECT (n - 1) % $2::int + 1, 'user-' || n || '@bench.example', 'user-' || n || '@bench.example',
              'User ' || n, 'admin', $3, now()
       FROM generate_series(1, $1::int) n`,
      [size.users, size.accounts, hashed.value],
    );
    await client.query(
      `INSERT INTO organizations (account_id, name, description, created_at)
       SELECT (n - 1) % $2::int + 1, 'Organization ' || n, NULL, now()
       FROM generate_series(1, $1::int) n`,
      [size.organizations, size.accounts],
    );
  });
}

/** Adds records of unused tokens. */
export async function fillTokens(url: string, count: number, size: DirectorySize): Promise<void> {
  await withClient(url, async (client) => {
    await client.query(
      `INSERT INTO tokens (id, account_id, user_id, subject, kind, name, format, key_id, scopes, created_at)
       SELECT uuidv7(), u.account_id, u.id, u.id, 'api', 'Stored ' || n, k.format, k.id, '{*}', now()
       FROM generate_series(1, $1::int) n
       JOIN users u ON u.id = (n - 1) % $2::int + 1
       JOIN signing_keys k ON k.format = 'paseto' AND k.state = 'active'`,
      [count, size.users],
    );
    await tidy(client);
  });
}

/** Otherwise the first measurements would include it. */
async function tidy(client: pg.Client): Promise<void> {
  await client.query('VACUUM (ANALYZE)');
  await client.query('CHECKPOINT');
}
