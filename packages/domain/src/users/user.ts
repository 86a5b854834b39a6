import type { AccountId } from '../accounts/account.ts';
import { type Brand, parsePositiveInteger } from '../identifiers.ts';
import type { Instant } from '../time/instant.ts';
import type { Email } from './email.ts';

export type UserId = Brand<number, 'UserId'>;

export const ROLES = ['admin', 'member'] as const;

/** An admin sees all organizations of the account. A member sees only the organizations to which the member belongs. */
export type Role = (typeof ROLES)[number];

export const USER_KINDS = ['person', 'service'] as const;

/** A person signs in. A service account only has tokens: neither a password, nor sessions, nor an address. */
export type UserKind = (typeof USER_KINDS)[number];

export interface User {
  readonly id: UserId;
  readonly accountId: AccountId;
  readonly kind: UserKind;
  /** The address of a person. A service account has `serviceEmail` instead, to which no mail can be sent. */
  readonly email: Email;
  readonly name: string;
  readonly role: Role;
  readonly createdAt: Instant;
  readonly disabledAt: Instant | null;
  /**
   * The time from which tokens of the user are refused unless an identity provider confirms the person again; null if no
   * rule of the account demands it, or the person was never confirmed.
   */
  readonly confirmedUntil: Instant | null;
}

export const parseUserId = parsePositiveInteger<UserId>;
