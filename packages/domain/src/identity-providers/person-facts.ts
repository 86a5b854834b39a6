import type { Account, AccountId } from '../accounts/account.ts';
import type { OpenInvitation } from '../links/invitation-repository.ts';
import type { Instant } from '../time/instant.ts';
import type { Email } from '../users/email.ts';
import type { Role, User } from '../users/user.ts';
import type { ProviderRefusal, PROVIDER_REFUSALS as REFUSALS } from './refusals.ts';

/** A user with the facts that decide whether an identity may belong to the user. */
export interface KnownUser {
  readonly user: User;
  readonly account: Account;
  readonly emailProvedAt: Instant | null;
  readonly isBreakGlass: boolean;
  /** Whether another subject of the same issuer is linked to the user. */
  readonly hasOtherIdentity: boolean;
}

/** The facts about a proven person, from one consistent read. */
export interface PersonFacts {
  /** The user to whom the identity is linked. */
  readonly linked: KnownUser | undefined;
  /** The only user whose address has the `emailKey` of the person's address; undefined if there are none or two. */
  readonly byEmail: KnownUser | undefined;
  /** Whether a user of any account has an address with that key. */
  readonly isEmailTaken: boolean;
  /** The user of the session in which a link or a confirmation began; undefined if the session has ended. */
  readonly own: KnownUser | undefined;
  /** The invitation of the attempt, if it can be accepted now and no user has its address. */
  readonly invitation: OpenInvitation | undefined;
  /** The account in which the person may become a user, if it exists. */
  readonly newIn: Account | undefined;
}

/** The reasons that the facts about a person decide. */
export type PersonRefusal = {
  [Reason in ProviderRefusal]: (typeof REFUSALS)[Reason] extends 'person' | 'role' ? Reason : never;
}[ProviderRefusal];

/** The decision about a proven person. */
export type Decision =
  | {
      readonly outcome: 'refused';
      readonly reason: PersonRefusal | 'attempt_of_other_browser';
      /** The user whom the refusal concerns, for the audit log. */
      readonly about: User | undefined;
      /** Whether the provider stopped confirming the user, so that the rule about old confirmations takes effect now. */
      readonly endsConfirmation: boolean;
    }
  /** The person is this user. `isNewLink`: the identity is to be linked. `role`: the one from the provider, if any. */
  | {
      readonly outcome: 'known';
      readonly user: User;
      readonly isNewLink: boolean;
      readonly role: Role | null;
    }
  /** The person becomes a user. */
  | {
      readonly outcome: 'new';
      readonly accountId: AccountId;
      readonly email: Email;
      readonly name: string;
      readonly role: Role;
      readonly invitation: OpenInvitation['invitation'] | null;
      /** Whether the provider proved the address of the new user. */
      readonly isEmailProved: boolean;
    };

export function refuse(
  reason: Extract<Decision, { outcome: 'refused' }>['reason'],
  about?: User,
  { endsConfirmation = false } = {},
): Decision {
  return { outcome: 'refused', reason, about, endsConfirmation };
}
