import type { SignInAttempt, SignInLimits } from '@gatehouse/domain/sign-in';
import { addMilliseconds, formatInstant, type Instant } from '@gatehouse/domain/time';
import { sql } from 'kysely';
import type { Queries } from '../database/schema.ts';
import { compileOnce } from '../database/statements/compile-once.ts';
import { notOnDisk, type Parties, partiesOf, returnedToAddress, type Times } from './attempt-values.ts';

/** Clears the account's failures. Returns whether the address was new to the account. */
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
