import { hash } from 'node:crypto';
import { clientNetwork } from '@gatehouse/domain';
import type { SignInAttempt } from '@gatehouse/domain/sign-in';
import { sql } from 'kysely';

/** The address and the account whose counts an attempt changes. */
export interface Parties {
  readonly network: string;
  readonly digest: Buffer;
}

export function partiesOf({ email, address }: SignInAttempt): Parties {
  return { network: clientNetwork(address), digest: hash('sha256', email, 'buffer') };
}

/** Formatted instants. */
export type Times<Name extends string> = Readonly<Record<Name, string>>;

/** If the window has ended since, its next attempt begins a new one, and the count does not matter. */
export function returnedToAddress(network: string) {
  return sql`
    update sign_in_addresses set attempts = attempts - 1
    where network = ${network}::cidr and attempts > 0
    returning 1`;
}

/** Applies to the statement's transaction. */
export const notOnDisk = sql`set_config('synchronous_commit', 'off', true) = 'off'`;
