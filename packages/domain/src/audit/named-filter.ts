import type { AccountId } from '../accounts/account.ts';
import type { Ports } from '../ports.ts';
import { err, ok, type Result } from '../result.ts';
import type { TokenNotFound } from '../tokens/token-repository.ts';
import type { UserNotFound } from '../users/user-repository.ts';
import type { AuditFilter } from './audit-log.ts';

/** Selects events by parts of names, regardless of case. */
export interface NamedFilter {
  /**
   * A part of the name or email of users. Selects their events, including those that operators made for them. If it is
   * the email of a user, selects the events of this user only.
   */
  readonly user?: string | undefined;
  /** A part of the current name of API tokens, or the id of a token. Selects the history of these tokens. */
  readonly token?: string | undefined;
}

/** The largest number of users, and of tokens, whose events one list shows. */
export const MAX_NAMED = 500;

/** The error if a part of a name is in the names of more than `MAX_NAMED` users or tokens. */
export type TooManyNamed = { readonly code: 'too_many_named'; readonly of: 'users' | 'tokens' };

/**
 * Replaces the parts of names by the ids of the users and tokens, so that all pages of a list have the same filter. If
 * `accountId` is given, users and tokens of other accounts are not found.
 */
export async function named(
  { audit }: Ports<'audit'>,
  { user, token }: NamedFilter,
  accountId: AccountId | undefined,
): Promise<Result<Pick<AuditFilter, 'users' | 'tokens'>, UserNotFound | TokenNotFound | TooManyNamed>> {
  if (user === undefined && token === undefined) return ok({});
  const { users, tokens } = await audit.findNamed({ accountId, user, token, limit: MAX_NAMED + 1 });
  if (users?.length === 0) return err({ code: 'user_not_found' });
  if (tokens?.length === 0) return err({ code: 'token_not_found' });
  if (users && users.length > MAX_NAMED) return err({ code: 'too_many_named', of: 'users' });
  if (tokens && tokens.length > MAX_NAMED) return err({ code: 'too_many_named', of: 'tokens' });
  return ok({ users, tokens });
}
