import type { AccountId } from '../accounts/account.ts';
import type { OrganizationId } from '../organizations/organization.ts';
import type { KeyId } from '../signing-keys/signing-key.ts';
import type { TokenId } from '../tokens/token.ts';
import type { UserId } from '../users/user.ts';

/** One record that may have changed since it was read. */
export type Change =
  | { readonly kind: 'token'; readonly id: TokenId }
  | { readonly kind: 'user'; readonly id: UserId }
  | { readonly kind: 'account'; readonly id: AccountId }
  | { readonly kind: 'organization'; readonly id: OrganizationId }
  | { readonly kind: 'membership'; readonly organizationId: OrganizationId; readonly userId: UserId }
  | { readonly kind: 'key'; readonly id: KeyId }
  /** A row of an extension's table, whose name begins with its schema. */
  | { readonly kind: 'row'; readonly table: string; readonly id: number | string }
  /** Any rows of an extension's table: too many changed to name them. */
  | { readonly kind: 'rows'; readonly table: string }
  /** Too many changes to name, or unknown ones because the feed was interrupted. */
  | { readonly kind: 'everything' };
