import { type Brand, parsePositiveInteger } from '../identifiers.ts';
import type { Instant } from '../time/instant.ts';

export type AccountId = Brand<number, 'AccountId'>;

/** A customer, which owns users, organizations and tokens. */
export interface Account {
  readonly id: AccountId;
  readonly name: string;
  readonly createdAt: Instant;
  /**
   * The time of the suspension; null if the account is not suspended. While it is suspended, no token and no password
   * of the account is accepted.
   */
  readonly suspendedAt: Instant | null;
}

export const parseAccountId = parsePositiveInteger<AccountId>;
