import { createHash } from 'node:crypto';
import { err, ok } from '@gatehouse/domain';
import type { SignInAttempt, SignInLimits, SignInThrottle, TooManyAttempts } from '@gatehouse/domain/sign-in';
import { addMilliseconds, type Clock, formatInstant, type Instant } from '@gatehouse/domain/time';
import { sql } from 'kysely';
import type { Database } from '../database/database.ts';
import { onPrimary } from '../database/primary-only.ts';
import type { Queries } from '../database/schema.ts';
import { clientNetwork } from './client-network.ts';

/**
 * One in `SWEEP_EVERY` attempts deletes up to `SWEEP_ROWS` outdated rows, more than the attempts in between can have
 * created.
 */
const SWEEP_EVERY = 64;
const SWEEP_ROWS = 256;

/** The maximum number of known addresses of an account. */
const MAX_KNOWN_ADDRESSES = 100;

/**
 * How long after the last attempt an account's failures are forgotten. Waiting for that is no advantage: one attempt
 * in each pause would have allowed as many.
 */
const memoryMs = ({ failures, pauseMs }: SignInLimits['account']) =>
  Math.max(24 * 60 * 60_000, failures * pauseMs);

/**
 * Creates the sign-in limits in PostgreSQL, which hold over all nodes together. Each window begins with its first
 * attempt.
 *
 * Every statement locks the address first, then the address as known to the account, then the account, one row each,
 * which avoids deadlocks. Counts are committed asynchronously: a crash may lose the last fraction of a second.
 */
export function createPostgresSignInThrottle(
  { queries }: Database,
  { limits, clock }: { readonly limits: SignInLimits; readonly clock: Clock },
): SignInThrottle {
  let admissions = 0;
  return {
    async admit(attempt) {
      const now = clock.now();
      const counted = await count(queries, attempt, limits, now);
      admissions += 1;
      if (admissions % SWEEP_EVERY === 0) await sweep(queries, now);
      if (!counted.address) return err(tooMany('address', (await windowEnd(queries, attempt)) ?? now, now));
      if (counted.own || counted.account) return ok(undefined);
      const last = await giveBack(queries, attempt);
      return err(tooMany('account', addMilliseconds(last ?? now, limits.account.pauseMs), now));
    },

    async succeeded(attempt) {
      const now = clock.now();
      if (await clear(queries, attempt, limits, now)) await forgetOldest(queries, attempt);
    },
  };
}

/**
 * Counts the attempt for its address and then, if the address has attempts left, for the known address and for the
 * account: atomically for each.
 */
async function count(db: Queries, attempt: SignInAttempt, limits: SignInLimits, now: Instant) {
  const { address, account, knownAddress } = limits;
  const at = sql`${formatInstant(now)}::timestamptz`;
  const { rows } = await sql<{ address: boolean; own: boolean; account: boolean }>`
    with address as (
      insert into sign_in_addresses as seen (network, attempts, window_ends_at)
      values (${network(attempt)}, 1, ${formatInstant(addMilliseconds(now, address.windowMs))})
      on conflict (network) do update set
        attempts = case when seen.window_ends_at <= ${at} then 1 else seen.attempts + 1 end,
        window_ends_at = case when seen.window_ends_at <= ${at} then excluded.window_ends_at else seen.window_ends_at end
      where seen.window_ends_at <= ${at} or seen.attempts < ${address.attempts}
      returning 1
    ), own as (
      update sign_in_known_addresses as seen set
        attempts = case when seen.window_ends_at <= ${at} then 1 else seen.attempts + 1 end,
        window_ends_at = case when seen.window_ends_at <= ${at}
          then ${formatInstant(addMilliseconds(now, knownAddress.windowMs))}::timestamptz else seen.window_ends_at end
      from address
      where seen.email_digest = ${digest(attempt)} and seen.network = ${network(attempt)}
        and seen.known_until > ${at}
        and (seen.window_ends_at <= ${at} or seen.attempts < ${knownAddress.attempts})
      returning 1
    ), account as (
      insert into sign_in_accounts as seen (email_digest, failures, last_attempt_at, forgotten_at)
      select ${digest(attempt)}, 1, ${at}, ${formatInstant(addMilliseconds(now, memoryMs(account)))}::timestamptz from address
      where (select count(*) from own) >= 0
      on conflict (email_digest) do update set
        failures = case when seen.forgotten_at <= ${at} then 1 else seen.failures + 1 end,
        last_attempt_at = excluded.last_attempt_at,
        forgotten_at = excluded.forgotten_at
      where seen.forgotten_at <= ${at}
        or seen.failures < ${account.failures}
        or seen.last_attempt_at <= ${formatInstant(addMilliseconds(now, -account.pauseMs))}::timestamptz
      returning 1
    )
    select exists (select from address) as address, exists (select from own) as own,
      exists (select from account) as account
    where ${notOnDisk}`.execute(db);
  return rows[0] ?? { address: false, own: false, account: false };
}

/** Gives back an attempt that its account refused. Returns the account's last attempt. */
async function giveBack(db: Queries, attempt: SignInAttempt): Promise<Instant | undefined> {
  const { rows } = await sql<{ last_attempt_at: Instant }>`
    with returned as (${returnedToAddress(attempt)})
    select last_attempt_at from sign_in_accounts
    where email_digest = ${digest(attempt)} and ${notOnDisk}`.execute(db);
  return rows[0]?.last_attempt_at;
}

/** Returns whether the address was new to the account. */
async function clear(db: Queries, attempt: SignInAttempt, { knownAddress }: SignInLimits, now: Instant) {
  const knownUntil = formatInstant(addMilliseconds(now, knownAddress.memoryMs));
  const { rows } = await sql<{ is_new: boolean }>`
    with returned as (${returnedToAddress(attempt)}), known as (
      insert into sign_in_known_addresses (email_digest, network, known_until, attempts, window_ends_at)
      select ${digest(attempt)}, ${network(attempt)}, ${knownUntil}::timestamptz, 0,
        ${formatInstant(now)}::timestamptz
      -- Makes the address come first.
      where (select count(*) from returned) >= 0
      on conflict (email_digest, network) do update set
        known_until = excluded.known_until, attempts = 0, window_ends_at = excluded.window_ends_at
      returning xmax = 0 as is_new
    ), account as (
      delete from sign_in_accounts
      where email_digest = ${digest(attempt)} and (select count(*) from known) >= 0
    )
    select is_new from known where ${notOnDisk}`.execute(db);
  return rows[0]?.is_new === true;
}

/** Otherwise a user with a password could fill the table from one address after the other. */
async function forgetOldest(db: Queries, attempt: SignInAttempt): Promise<void> {
  // sign_in_known_addresses_pkey
  await sql`
    delete from sign_in_known_addresses where email_digest = ${digest(attempt)} and network in (
      select network from sign_in_known_addresses where email_digest = ${digest(attempt)}
      order by known_until desc, network offset ${sql.lit(MAX_KNOWN_ADDRESSES)} for update skip locked
    )`.execute(db);
}

/** A window that has ended in the meantime starts again with the next attempt, whatever its count. */
function returnedToAddress(attempt: SignInAttempt) {
  return sql`
    update sign_in_addresses set attempts = attempts - 1
    where network = ${network(attempt)} and attempts > 0
    returning 1`;
}

async function windowEnd(db: Queries, attempt: SignInAttempt): Promise<Instant | undefined> {
  const { rows } = await sql<{ window_ends_at: Instant }>`
    select window_ends_at from sign_in_addresses
    where network = ${network(attempt)} and ${onPrimary}`.execute(db);
  return rows[0]?.window_ends_at;
}

/** The tables with their keys, and the time at which a row is outdated, on which each has an index. */
const OUTDATED = [
  ['sign_in_addresses', 'network', 'window_ends_at'],
  ['sign_in_accounts', 'email_digest', 'forgotten_at'],
  ['sign_in_known_addresses', 'email_digest, network', 'known_until'],
] as const;

/** Skips rows that are locked by an attempt. */
async function sweep(db: Queries, now: Instant): Promise<void> {
  for (const [table, key, outdatedAt] of OUTDATED) {
    await sql`
      delete from ${sql.table(table)} where (${sql.raw(key)}) in (
        select ${sql.raw(key)} from ${sql.table(table)} where ${sql.ref(outdatedAt)} <= ${formatInstant(now)}
        order by ${sql.ref(outdatedAt)} limit ${sql.lit(SWEEP_ROWS)} for update skip locked
      )`.execute(db);
  }
}

const network = ({ address }: SignInAttempt) => sql`${clientNetwork(address)}::cidr`;

const digest = ({ email }: SignInAttempt) => sql`${createHash('sha256').update(email).digest()}::bytea`;

/** Applies to the transaction of the statement. */
const notOnDisk = sql`set_config('synchronous_commit', 'off', true) = 'off'`;

function tooMany(limit: TooManyAttempts['limit'], until: Instant, now: Instant): TooManyAttempts {
  const retryAfterSeconds = Math.max(1, Math.ceil((until - now) / 1000));
  return { code: 'too_many_attempts', limit, retryAfterSeconds };
}
