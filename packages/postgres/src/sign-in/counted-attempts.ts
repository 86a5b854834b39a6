import { hash } from 'node:crypto';
import { clientNetwork } from '@gatehouse/domain';
import type { SignInAttempt, SignInLimits } from '@gatehouse/domain/sign-in';
import { addMilliseconds, formatInstant, type Instant } from '@gatehouse/domain/time';
import { sql } from 'kysely';
import type { Queries } from '../database/schema.ts';
import { compileOnce } from '../database/statements/compile-once.ts';

/** The network of the address and the digest of the email, under which an attempt is counted. */
interface Parties {
  readonly network: string;
  readonly digest: Buffer;
}

export function partiesOf({ email, address }: SignInAttempt): Parties {
  return { network: clientNetwork(address), digest: hash('sha256', email, 'buffer') };
}

/** Instants as RFC 3339 texts, by name. */
export type Times<Name extends string> = Readonly<Record<Name, string>>;

/**
 * Returns a statement that subtracts an attempt from the count of its address. If the time window of the address has
 * ended since, the count becomes too low. That does no harm, because the next attempt begins a new time window with a
 * new count.
 */
export function returnedToAddress(network: string) {
  return sql`
    update sign_in_addresses set attempts = attempts - 1
    where network = ${network}::cidr and attempts > 0
    returning 1`;
}

/**
 * A condition that is always true. If a statement contains it, PostgreSQL acknowledges the transaction of the statement
 * before the transaction is on disk.
 */
export const notOnDisk = sql`set_config('synchronous_commit', 'off', true) = 'off'`;

/**
 * Returns the time without attempts after which an account's failures are forgotten, in milliseconds. An attacker gains
 * nothing by waiting that long, because with one attempt after each pause, he could make as many attempts in the same
 * time.
 */
const memoryMs = ({ failures, pauseMs }: SignInLimits['account']) =>
  Math.max(24 * 60 * 60_000, failures * pauseMs);

interface Counted {
  readonly address: boolean;
  readonly own: boolean;
  readonly account: boolean;
}

/**
 * Counts an attempt for its address. If the address has attempts left, also counts the attempt for the account. If the
 * account knows the address, there is a third count, of attempts from this address for this account. Each count is
 * atomic.
 */
export function counting(db: Queries, { address, account, knownAddress }: SignInLimits) {
  type Values = Parties & Times<'at' | 'addressWindowEnd' | 'ownWindowEnd' | 'forgottenAt' | 'pausedSince'>;
  const compiled = compileOnce(db, (values: Values) => {
    const at = sql`${values.at}::timestamptz`;
    return sql<Counted>`
      with address as (
        insert into sign_in_addresses as seen (network, attempts, window_ends_at)
        values (${values.network}::cidr, 1, ${values.addressWindowEnd})
        on conflict (network) do update set
          attempts = case when seen.window_ends_at <= ${at} then 1 else seen.attempts + 1 end,
          window_ends_at = case when seen.window_ends_at <= ${at} then excluded.window_ends_at else seen.window_ends_at end
        where seen.window_ends_at <= ${at} or seen.attempts < ${address.attempts}
        returning 1
      ), own as (
        update sign_in_known_addresses as seen set
          attempts = case when seen.window_ends_at <= ${at} then 1 else seen.attempts + 1 end,
          window_ends_at = case when seen.window_ends_at <= ${at}
            then ${values.ownWindowEnd}::timestamptz else seen.window_ends_at end
        from address
        where seen.email_digest = ${values.digest}::bytea and seen.network = ${values.network}::cidr
          and seen.known_until > ${at}
          and (seen.window_ends_at <= ${at} or seen.attempts < ${knownAddress.attempts})
        returning 1
      ), account as (
        insert into sign_in_accounts as seen (email_digest, failures, last_attempt_at, forgotten_at)
        select ${values.digest}::bytea, 1, ${at}, ${values.forgottenAt}::timestamptz from address
        where (select count(*) from own) >= 0
        on conflict (email_digest) do update set
          failures = case when seen.forgotten_at <= ${at} then 1 else seen.failures + 1 end,
          last_attempt_at = excluded.last_attempt_at,
          forgotten_at = excluded.forgotten_at
        where seen.forgotten_at <= ${at}
          or seen.failures < ${account.failures}
          or seen.last_attempt_at <= ${values.pausedSince}::timestamptz
        returning 1
      )
      select exists (select from address) as address, exists (select from own) as own,
        exists (select from account) as account
      where ${notOnDisk}`;
  });
  return async (attempt: SignInAttempt, now: Instant): Promise<Counted> => {
    const after = (milliseconds: number) => formatInstant(addMilliseconds(now, milliseconds));
    const times = {
      at: formatInstant(now),
      addressWindowEnd: after(address.windowMs),
      ownWindowEnd: after(knownAddress.windowMs),
      forgottenAt: after(memoryMs(account)),
      pausedSince: after(-account.pauseMs),
    };
    const { rows } = await db.executeQuery(compiled({ ...partiesOf(attempt), ...times }));
    return rows[0] ?? { address: false, own: false, account: false };
  };
}

/**
 * Clears the failures of an account after a sign-in, and records that the account knows the address. Returns whether
 * the address was new to the account.
 */
export function clearing(db: Queries, { knownAddress }: SignInLimits) {
  const compiled = compileOnce(
    db,
    ({ network, digest, at, knownUntil }: Parties & Times<'at' | 'knownUntil'>) => sql<{ is_new: boolean }>`
      with returned as (${returnedToAddress(network)}), known as (
        insert into sign_in_known_addresses (email_digest, network, known_until, attempts, window_ends_at)
        select ${digest}::bytea, ${network}::cidr, ${knownUntil}::timestamptz, 0,
          ${at}::timestamptz
        -- Makes PostgreSQL lock the address first.
        where (select count(*) from returned) >= 0
        on conflict (email_digest, network) do update set
          known_until = excluded.known_until, attempts = 0, window_ends_at = excluded.window_ends_at
        returning xmax = 0 as is_new
      ), account as (
        delete from sign_in_accounts
        where email_digest = ${digest}::bytea and (select count(*) from known) >= 0
      )
      select is_new from known where ${notOnDisk}`,
  );
  return async (attempt: SignInAttempt, now: Instant): Promise<boolean> => {
    const knownUntil = formatInstant(addMilliseconds(now, knownAddress.memoryMs));
    const values = { ...partiesOf(attempt), at: formatInstant(now), knownUntil };
    const { rows } = await db.executeQuery(compiled(values));
    return rows[0]?.is_new === true;
  };
}
