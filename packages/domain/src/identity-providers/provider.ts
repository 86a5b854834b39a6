import type { AccountId } from '../accounts/account.ts';
import type { Brand } from '../identifiers.ts';
import type { Role } from '../users/user.ts';

/** The name of an identity provider in the settings, and in the address to which it sends the browser back. */
export type ProviderId = Brand<string, 'ProviderId'>;

/** Parses a letter and up to 31 lower-case letters, digits and single hyphens, such as `entra`. */
export function parseProviderId(text: string): ProviderId | undefined {
  return /^(?=.{1,32}$)[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/.test(text) ? (text as ProviderId) : undefined;
}

/** A role for the persons in whose claim the provider lists a value. */
export interface RoleRule {
  readonly value: string;
  readonly role: Role;
}

/** The rules that give a role to persons by a claim of the ID token, such as `groups`. */
export interface RoleRules {
  readonly claim: string;
  readonly rules: readonly RoleRule[];
}

/** An identity provider as the operator configured it. Gatehouse does not contact it to read this. */
export interface Provider {
  readonly id: ProviderId;
  /** The name that the sign-in page shows. */
  readonly label: string;
  /** The issuer, exactly as it is in the claim `iss`. */
  readonly issuer: string;
  /** The accounts whose users may sign in with it. At least one. */
  readonly accounts: readonly AccountId[];
  /**
   * The domains, in lower case, whose verified addresses link a person to the user with the address. Empty: a user is
   * linked only by an invitation or on the profile page.
   */
  readonly linkByEmailOf: readonly string[];
  /** The account in which a person who is not linked becomes a user; null if no users are created. It needs `roles`. */
  readonly createUsersIn: AccountId | null;
  /** Null if users have the roles that Gatehouse stores. */
  readonly roles: RoleRules | null;
}
