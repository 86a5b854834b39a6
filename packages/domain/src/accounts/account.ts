import type { Brand } from '../brand.ts';
import { parsePositiveInteger } from '../identifiers.ts';
import type { Instant } from '../time/instant.ts';

export type AccountId = Brand<number, 'AccountId'>;

/** The customer: it owns users, organizations and tokens. */
export interface Account {
  readonly id: AccountId;
  readonly name: string;
  readonly createdAt: Instant;
  /** While set, none of the account's tokens and passwords is accepted, its admins' included. */
  readonly suspendedAt: Instant | null;
}

export function parseAccountId(text: string): AccountId | undefined {
  return parsePositiveInteger(text) as AccountId | undefined;
}
