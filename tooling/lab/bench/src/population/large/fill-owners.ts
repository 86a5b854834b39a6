import type pg from 'pg';
import type { Directory } from '../directory.ts';

/** The days between the oldest token and the newest. */
export const DAYS = 400;

/**
 * Accounts after the first two that have a hundredth of all tokens each. Together they have as many users and
 * organizations as the small directory with a thousand organizations. So a look-up of their tokens differs from one
 * there only by the other stored data.
 */
export const BUSY = { first: 3, accounts: 10, organizationsEach: 100 };

type Owners = Pick<Directory, 'accounts' | 'users' | 'organizations'>;

/**
 * Returns the numbers of owners for a number of tokens: one account for a hundred tokens, with ten users and
 * organizations.
 */
export function ownersFor(tokens: number): Owners {
  const accounts = Math.ceil(tokens / 100);
  return { accounts, users: 10 * accounts, organizations: 10 * accounts };
}

/**
 * Stores accounts, and users and organizations that are assigned to them in turn, and the additional ones of the busy
 * accounts.
 */
export async function fillOwners(
  client: pg.Client,
  { accounts, users, organizations }: Owners,
  passwordHash: string,
): Promise<void> {
  const founded = `now() - interval '${DAYS + 1} days'`;
  await client.query(
    `INSERT INTO accounts (name, created_at) SELECT 'Account ' || n, ${founded} FROM generate_series(1, $1::int) n`,
    [accounts],
  );
  await client.query(
    `INSERT INTO users (account_id, email, email_key, name, role, password_hash, created_at)
     SELECT (n - 1) % $2::int + 1, 'user-' || n || '@bench.example', 'user-' || n || '@bench.example',
            'User ' || n, 'admin', $3, ${founded}
     FROM generate_series(1, $1::int) n`,
    [users, accounts, passwordHash],
  );
  await client.query(
    `INSERT INTO organizations (account_id, name, description, created_at)
     SELECT (n - 1) % $2::int + 1, 'Organization ' || n, NULL, ${founded} FROM generate_series(1, $1::int) n`,
    [organizations, accounts],
  );
  await client.query(
    `INSERT INTO organizations (account_id, name, description, created_at)
     SELECT (n - 1) % $2::int + $3, 'Busy ' || n, NULL, ${founded} FROM generate_series(1, $1::int) n`,
    [BUSY.accounts * (BUSY.organizationsEach - organizations / accounts), BUSY.accounts, BUSY.first],
  );
}

/** Returns the id of the n-th organization of a busy account, from 0. */
export function organizationOfBusy(account: number, n: number, { accounts, organizations }: Owners): number {
  const assigned = organizations / accounts;
  if (n < assigned) return account + n * accounts;
  return organizations + 1 + (account - BUSY.first) + (n - assigned) * BUSY.accounts;
}
