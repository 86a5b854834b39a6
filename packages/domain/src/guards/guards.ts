import type { AccountId } from '../accounts/account.ts';
import type { OrganizationId } from '../organizations/organization.ts';
import { ok, type Result } from '../result.ts';
import type { Instant } from '../time/instant.ts';
import type { TokenNetworks } from '../tokens/networks/token-networks.ts';
import type { TokenId } from '../tokens/token.ts';
import type { Role, UserId, UserKind } from '../users/user.ts';

/** The requests that guards decide, by the name of the action that a guard can forbid. */
export interface GuardedRequests {
  /** An API token is issued, or a token is rotated. */
  readonly 'token.create': {
    readonly name: string;
    readonly scopes: readonly string[];
    /** Null for a token that never expires. */
    readonly expiresAt: Instant | null;
    /** The networks from which the token may be used; null for all. */
    readonly networks: TokenNetworks | null;
    readonly owner: { readonly id: UserId; readonly kind: UserKind };
    /** The token that the new one replaces; null for a token that is not made by a rotation. */
    readonly replaces: TokenId | null;
  };
  readonly 'invitation.create': { readonly email: string; readonly role: Role };
  readonly 'organization.create': { readonly name: string; readonly description: string | null };
  readonly 'organization.delete': { readonly id: OrganizationId; readonly name: string };
}

/** An action that a guard can forbid. No guard can forbid that a right ends, such as a revocation. */
export type GuardedAction = keyof GuardedRequests;

/** The actions that a guard can forbid, in the order in which documents list them. */
export const GUARDED_ACTIONS = [
  'token.create',
  'invitation.create',
  'organization.create',
  'organization.delete',
] as const satisfies readonly GuardedAction[];

/** Who asks, when, and in which account. */
export interface GuardFacts {
  readonly accountId: AccountId;
  /** `operator` is true if an operator asks, also for a user by `--as`. */
  readonly by: { readonly user: UserId | null; readonly operator: boolean };
  readonly at: Instant;
}

/** The error if the guard of an extension forbids the action. */
export interface ForbiddenByExtension {
  readonly code: 'forbidden_by_extension';
  readonly extension: string;
  /** The code of the extension's refusal. */
  readonly refusal: string;
  /** The sentence of the refusal. */
  readonly title: string;
}

/** The error if the guard of an extension failed or did not answer in time. Nothing was changed. */
export interface ExtensionUndecided {
  readonly code: 'extension_undecided';
  readonly extension: string;
}

/**
 * Asks the guards of extensions, before the transaction of a change. Guards can only forbid: the rules of Gatehouse were
 * asked before them, and the transaction decides again on everything else.
 */
export interface Guards {
  check<Action extends GuardedAction>(
    action: Action,
    request: GuardedRequests[Action],
    facts: GuardFacts,
  ): Promise<Result<void, ForbiddenByExtension | ExtensionUndecided>>;
}

/** Forbids nothing: an installation without guards. */
export const NO_GUARDS: Guards = { check: async () => ok(undefined) };
