import { type Email, type EmailKey, emailKey, type StrayEmail, type UserId } from '@gatehouse/domain/users';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../database/database.ts';
import { onPrimary } from '../database/primary/primary-only.ts';
import type { Queries } from '../database/schema.ts';

/** The number of emails that one statement reads. */
const BATCH = 1000;

interface StoredEmail {
  readonly id: UserId;
  readonly email: Email;
  readonly key: EmailKey;
}

/**
 * Reads users whose email is not ASCII, by the index users_pkey. Users with an ASCII email are left out, because the
 * key of such an email is the same in all versions of Gatehouse.
 */
async function emailsAfter(db: Kysely<unknown>, after: UserId): Promise<readonly StoredEmail[]> {
  const { rows } = await sql<StoredEmail>`
    select id, email, email_key as key from users
    where id > ${after} and octet_length(email) > char_length(email) and ${onPrimary} order by id limit ${BATCH}`.execute(
    db,
  );
  return rows;
}

const areStray = ({ email, key }: StoredEmail) => emailKey(email) !== key;

/**
 * Replaces the keys of users with the keys that `emailKey` returns for their emails, unless another user already has
 * the same key. This is one step of a migration.
 *
 * @param position the id of the last user that the previous step read
 */
export async function rekeyEmailsAfter(
  transaction: Kysely<unknown>,
  position = '0',
): Promise<string | undefined> {
  const batch = await emailsAfter(transaction, Number(position) as UserId);
  for (const { id, email } of batch.filter(areStray)) {
    const key = emailKey(email);
    // Uses the index users_email_key_unique. If a server of the previous version stores this key at the same moment,
    // the migration fails. The next run of the migration finds the stored key.
    await sql`
      update users set email_key = ${key}
      where id = ${id} and not exists (select from users as other where other.email_key = ${key})`.execute(
      transaction,
    );
  }
  return batch.length < BATCH ? undefined : String(batch.at(-1)?.id);
}

/** Replaces the email keys of users whom servers of the previous version have created since the migration. */
export async function rekeyEmails({ queries }: Database): Promise<void> {
  let position: string | undefined;
  do {
    const after = position;
    position = await queries
      .transaction()
      .execute((transaction) => rekeyEmailsAfter(transaction as never, after));
  } while (position !== undefined);
}

/** Lists up to `limit` users, by id, whose stored key is not the key that `emailKey` returns for their email. */
export async function listStrayEmails(queries: Queries, limit: number): Promise<readonly StrayEmail[]> {
  const strays: StoredEmail[] = [];
  let after = 0 as UserId;
  for (let batch: readonly StoredEmail[] = []; strays.length < limit; ) {
    batch = await emailsAfter(queries as never, after);
    strays.push(...batch.filter(areStray));
    after = batch.at(-1)?.id ?? after;
    if (batch.length < BATCH) break;
  }
  const listed = strays.slice(0, limit);
  if (listed.length === 0) return [];
  const keys = listed.map(({ email }) => emailKey(email));
  const holders = await queries
    .selectFrom('users')
    .select(['email', 'email_key as key'])
    .where('email_key', 'in', keys)
    .execute();
  const holderOf = new Map(holders.map(({ key, email }) => [key, email]));
  return listed.map(({ email }) =>
    Object.freeze({ email, sharedWith: holderOf.get(emailKey(email)) ?? null }),
  );
}
