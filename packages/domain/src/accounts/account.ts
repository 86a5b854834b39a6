import { type Brand, parsePositiveInteger } from '../identifiers.ts';
import type { Instant } from '../time/instant.ts';

export type AccountId = Brand<number, 'AccountId'>;

/** A customer, which owns users, organizations and tokens. */
export interface Account {
  readonly id: AccountId;
  readonly name: string;
  readonly createdAt: Instant;
  /** While set, no token and no password of the account is accepted, including those of its admins. */
  readonly suspendedAt: Instant | null;
}

export const parseAccountId = parsePositiveInteger<AccountId>;
