import type { AccountId } from '../../accounts/account.ts';
import type { LinkedIdentity } from '../../identity-providers/linked-identity.ts';
import type { OrganizationId } from '../../organizations/organization.ts';
import type { Instant } from '../../time/instant.ts';
import type { TokenId } from '../../tokens/token.ts';
import type { Role, User, UserKind } from '../user.ts';
import type { UserCursor, UserOrder } from './user-order.ts';

/** Selects a page of the users of an account. Filters are combined with AND. */
export interface AccountUserQuery {
  readonly accountId: AccountId;
  readonly order: UserOrder;
  /** The page begins after this position, or ends before it. Default: the first page. */
  readonly cursor?: { readonly after: UserCursor } | { readonly before: UserCursor } | undefined;
  readonly limit: number;
  /** Users are counted up to this number. */
  readonly countLimit: number;
  /** Selects users whose email, or any word of whose name, begins with this text, in upper or lower case. */
  readonly search?: string | undefined;
  readonly role?: Role | undefined;
  readonly kind?: UserKind | undefined;
  /** Whether to select disabled users, or those who are not. */
  readonly isDisabled?: boolean | undefined;
  readonly now: Instant;
}

/** The largest number of a user's tokens that is counted. */
export const MAX_TOKENS_COUNTED = 1000;

/** A user with facts that an admin looks for. */
export interface ListedUser {
  readonly user: User;
  /**
   * The last sign-in on the pages or through the API, as the audit log has it; null if it has none. Events that were
   * exported and pruned no longer count.
   */
  readonly lastSignInAt: Instant | null;
  /** The number of API tokens that are neither revoked nor expired, counted up to `MAX_TOKENS_COUNTED` + 1. */
  readonly liveTokens: number;
}

export interface AccountUserPage {
  readonly users: readonly ListedUser[];
  /** Whether there are more users in the direction of reading. */
  readonly more: boolean;
  /** The number of users that the filters select, on all pages, up to `countLimit`. */
  readonly total: number;
}

export interface UserDetails extends ListedUser {
  /** When the user enrolled a second factor; null if there is none. */
  readonly secondFactorAt: Instant | null;
  readonly hasPassword: boolean;
  /** When the operator marked the user for emergencies; null if the user is not marked. */
  readonly breakGlassAt: Instant | null;
  /** The identities at identity providers, the oldest first. */
  readonly identities: readonly Pick<LinkedIdentity, 'issuer' | 'subject' | 'confirmedAt'>[];
  readonly organizations: readonly { readonly id: OrganizationId; readonly name: string }[];
}

/** The facts on which it is decided how a user is disabled. Each list is sorted by name, and has up to a limit. */
export interface DisableFacts {
  readonly user: User;
  /** The number of live API tokens, counted up to `MAX_TOKENS_COUNTED` + 1. */
  readonly liveTokens: number;
  /** The live API tokens. */
  readonly tokens: readonly { readonly id: TokenId; readonly name: string }[];
  /** The active service accounts for which the user answers. */
  readonly serviceAccounts: readonly Pick<User, 'id' | 'name'>[];
  /** The other users who can receive tokens (`canReceiveTokens`), persons before service accounts. */
  readonly owners: readonly Pick<User, 'id' | 'kind' | 'role' | 'name' | 'email'>[];
}
