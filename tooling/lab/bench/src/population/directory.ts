import { openInstallation, type Store, unwrap } from '@gatehouse/faults/store';
import { migrateToLatest } from '@gatehouse/postgres';
import type pg from 'pg';
import { type Stage, withClient } from '../stage.ts';

/** A database with a number of organizations, and proportionally many accounts and users. Every user is an admin. */
export interface Directory extends AsyncDisposable {
  readonly stage: Stage;
  readonly url: string;
  readonly store: Store;
  readonly organizations: number;
  readonly users: number;
  readonly accounts: number;
}

export const PASSWORD = 'correct horse battery staple';

export function emailOf(userId: number): string {
  return `user-${userId}@bench.example`;
}

/** Returns the account of the n-th user or organization, which are assigned in turn. */
export function accountOf(id: number, { accounts }: Directory): number {
  return ((id - 1) % accounts) + 1;
}

/** Creates a database with signing keys, a number of organizations, and as many records of unused tokens. */
export async function openDirectory(stage: Stage, name: string, organizations: number): Promise<Directory> {
  const url = await stage.createDatabase(name);
  const store = openInstallation({ DATABASE_URL: url, GATEHOUSE_MASTER_KEY: stage.masterKey });
  await migrateToLatest(store.database);
  unwrap(await store.ensureKeys({ kind: 'operator', name: 'bench', origin: 'bench' }));
  const directory: Directory = {
    stage,
    url,
    store,
    organizations,
    users: Math.ceil(organizations / 10),
    accounts: Math.ceil(organizations / 100),
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  };
  const hash = unwrap(await store.ports.passwords.hash(PASSWORD));
  await withClient(url, (client) => fill(client, directory, hash));
  return directory;
}

/** Plain SQL, because a million use cases take too long. */
async function fill(client: pg.Client, { organizations, users, accounts }: Directory, hash: string) {
  await client.query(
    `INSERT INTO accounts (name, created_at) SELECT 'Account ' || n, now() FROM generate_series(1, $1::int) n`,
    [accounts],
  );
  await client.query(
    `INSERT INTO users (account_id, email, email_key, name, role, password_hash, created_at)
     SELECT (n - 1) % $2::int + 1, 'user-' || n || '@bench.example', 'user-' || n || '@bench.example',
            'User ' || n, 'admin', $3, now()
     FROM generate_series(1, $1::int) n`,
    [users, accounts, hash],
  );
  await client.query(
    `INSERT INTO organizations (account_id, name, description, created_at)
     SELECT (n - 1) % $2::int + 1, 'Organization ' || n, NULL, now()
     FROM generate_series(1, $1::int) n`,
    [organizations, accounts],
  );
  await client.query(
    `INSERT INTO tokens (id, account_id, user_id, subject, kind, name, format, key_id, scopes, created_at)
     SELECT uuidv7(), u.account_id, u.id, u.id, 'api', 'Stored ' || n, k.format, k.id, '{*}', now()
     FROM generate_series(1, $1::int) n
     JOIN users u ON u.id = (n - 1) % $2::int + 1
     JOIN signing_keys k ON k.format = 'paseto' AND k.state = 'active'`,
    [organizations, users],
  );
  // Otherwise the first measurements would include it.
  await client.query('VACUUM (ANALYZE)');
  await client.query('CHECKPOINT');
}
