import { err, ok } from '@gatehouse/domain';
import type { SignInAttempt, SignInLimits, SignInThrottle, TooManyAttempts } from '@gatehouse/domain/sign-in';
import { addMilliseconds, type Clock, formatInstant, type Instant } from '@gatehouse/domain/time';
import { sql } from 'kysely';
import type { Database } from '../database/database.ts';
import { onPrimary } from '../database/primary/primary-only.ts';
import type { Queries } from '../database/schema.ts';
import { clearing, counting, notOnDisk, partiesOf, returnedToAddress } from './counted-attempts.ts';

/**
 * After this number of attempts, outdated rows are deleted: up to `SWEEP_ROWS` of each table, which is more than the
 * attempts can have created.
 */
const SWEEP_EVERY = 64;
const SWEEP_ROWS = 256;

/** The maximum number of known addresses of an account. */
const MAX_KNOWN_ADDRESSES = 100;

/**
 * Creates the sign-in limits in PostgreSQL, which all nodes share. The time window of an address begins with its first
 * attempt.
 *
 * To avoid deadlocks, every statement locks its rows in one order: the row of the address, the row of the address as
 * known to the account, the row of the account. Counts are committed asynchronously, so a crash may lose the counts of
 * the last fraction of a second.
 */
export function createPostgresSignInThrottle(
  { queries }: Database,
  { limits, clock }: { readonly limits: SignInLimits; readonly clock: Clock },
): SignInThrottle {
  const count = counting(queries, limits);
  const clear = clearing(queries, limits);
  let admissions = 0;
  return {
    async admit(attempt) {
      const now = clock.now();
      const counted = await count(attempt, now);
      admissions += 1;
      if (admissions % SWEEP_EVERY === 0) await sweep(queries, now);
      if (!counted.address) return err(tooMany('address', (await windowEnd(queries, attempt)) ?? now, now));
      if (counted.own || counted.account) return ok(undefined);
      const last = await giveBack(queries, attempt);
      return err(tooMany('account', addMilliseconds(last ?? now, limits.account.pauseMs), now));
    },

    release: (attempt) => release(queries, attempt),

    async succeeded(attempt) {
      const now = clock.now();
      if (await clear(attempt, now)) await forgetOldest(queries, attempt);
    },
  };
}

/**
 * Subtracts an attempt that the limit of the account refused from the count of the address. Returns the time of the
 * last attempt for the account.
 */
async function giveBack(db: Queries, attempt: SignInAttempt): Promise<Instant | undefined> {
  const { rows } = await sql<{ last_attempt_at: Instant }>`
    with returned as (${returnedToAddress(partiesOf(attempt).network)})
    select last_attempt_at from sign_in_accounts
    where email_digest = ${partiesOf(attempt).digest}::bytea and ${notOnDisk}`.execute(db);
  return rows[0]?.last_attempt_at;
}

/** Subtracts an attempt from the count of its address, and deletes the count of its email. */
async function release(db: Queries, attempt: SignInAttempt): Promise<void> {
  const { network, digest } = partiesOf(attempt);
  await sql`
    with returned as (${returnedToAddress(network)})
    delete from sign_in_accounts
    where email_digest = ${digest}::bytea and (select count(*) from returned) >= 0 and ${notOnDisk}`.execute(
    db,
  );
}

/**
 * Forgets the oldest known addresses of an account. Otherwise a user could fill the table by signing in from many
 * addresses.
 */
async function forgetOldest(db: Queries, attempt: SignInAttempt): Promise<void> {
  // Uses the index sign_in_known_addresses_pkey.
  await sql`
    delete from sign_in_known_addresses where email_digest = ${partiesOf(attempt).digest}::bytea and network in (
      select network from sign_in_known_addresses where email_digest = ${partiesOf(attempt).digest}::bytea
      order by known_until desc, network offset ${sql.lit(MAX_KNOWN_ADDRESSES)} for update skip locked
    )`.execute(db);
}

async function windowEnd(db: Queries, attempt: SignInAttempt): Promise<Instant | undefined> {
  const { rows } = await sql<{ window_ends_at: Instant }>`
    select window_ends_at from sign_in_addresses
    where network = ${partiesOf(attempt).network}::cidr and ${onPrimary}`.execute(db);
  return rows[0]?.window_ends_at;
}

/** For each table, the columns of its key, and the indexed column with the time from which a row is outdated. */
const OUTDATED = [
  ['sign_in_addresses', 'network', 'window_ends_at'],
  ['sign_in_accounts', 'email_digest', 'forgotten_at'],
  ['sign_in_known_addresses', 'email_digest, network', 'known_until'],
] as const;

/** Deletes outdated rows, except rows that an attempt has locked. */
async function sweep(db: Queries, now: Instant): Promise<void> {
  for (const [table, key, outdatedAt] of OUTDATED) {
    await sql`
      delete from ${sql.table(table)} where (${sql.raw(key)}) in (
        select ${sql.raw(key)} from ${sql.table(table)} where ${sql.ref(outdatedAt)} <= ${formatInstant(now)}
        order by ${sql.ref(outdatedAt)} limit ${sql.lit(SWEEP_ROWS)} for update skip locked
      )`.execute(db);
  }
}

function tooMany(limit: TooManyAttempts['limit'], until: Instant, now: Instant): TooManyAttempts {
  const retryAfterSeconds = Math.max(1, Math.ceil((until - now) / 1000));
  return { code: 'too_many_attempts', limit, retryAfterSeconds };
}
