import { actorOf, authorized, CHANGE_USERS } from '../access/index.ts';
import { eventBy, eventOf } from '../audit/event-by.ts';
import type { Ports } from '../ports.ts';
import { err, ok } from '../result.ts';
import { checkText } from '../text.ts';
import { type TokenStatus, tokenStatus } from '../tokens/administration/token-status.ts';
import type { Revocation, TokenId } from '../tokens/token.ts';
import { findNamed, type NamedUser } from './named-user.ts';
import { serviceDetails } from './service-accounts/service-account-events.ts';
import type { Role, User, UserId } from './user.ts';
import type { DisableOptions } from './user-repository.ts';

/*
 * The changes of users that an admin makes on pages, and an operator by commands. An admin changes users of the same
 * account only. The repository asks once more, under the lock of the account, whether the admin still is one.
 */

/** A user and the tokens that disabling the user would revoke. */
export interface UserWithTokens {
  readonly user: User;
  /** The API tokens are before the sign-in tokens. */
  readonly tokens: readonly TokenStatus[];
}

/**
 * Finds a user and at most `limit` of the user's live tokens. If the account is suspended, the tokens still count as
 * live.
 */
export const findLiveTokens = authorized(
  CHANGE_USERS,
  ({ users, clock }: Ports<'users' | 'clock'>) =>
    async (caller, { limit, ...named }: NamedUser & { readonly limit: number }) => {
      const found = await findNamed(users, caller, named);
      if (!found.ok) return found;
      const at = clock.now();
      const tokens = await users.listLiveTokens(found.value.id, { at, limit });
      return ok({ user: found.value, tokens: tokens.map((token) => tokenStatus(token, at)) });
    },
);

/** Changes a user's role. After the change, the user's tokens have the rights of the new role. */
export const setRole = authorized(
  CHANGE_USERS,
  ({ users, clock }: Ports<'users' | 'clock'>) =>
    async (caller, { role, ...named }: NamedUser & { readonly role: Role }) => {
      const found = await findNamed(users, caller, named);
      if (!found.ok) return found;
      return users.setRole(found.value.id, role, (before) => {
        const details = { email: before.email, from: before.role, to: role };
        return eventBy(caller, eventOf(clock.now(), 'user.role_set', before, details));
      });
    },
);

type DisableUserInput = NamedUser & {
  readonly reason: string | null;
  /** The email of the user who receives the live API tokens that `tokens` does not name; null to revoke them. */
  readonly transferTo: string | null;
  /** The users who receive single API tokens. Default: none. */
  readonly tokens?: ReadonlyMap<TokenId, UserId> | undefined;
  /** The decision about each active service account for which the user answers. */
  readonly serviceAccounts?: DisableOptions['serviceAccounts'];
  /**
   * Whether to rename tokens whose name the new owner already uses. If false, a transfer of such tokens is refused.
   * Default: false.
   */
  readonly renameTaken?: boolean;
};

/**
 * Disables a user. Permanently revokes the user's tokens, except the API tokens that are transferred to another admin
 * or to a service account. An admin cannot transfer the tokens of a member to a user with the role admin, because the
 * tokens would gain the rights of an admin.
 */
export const disableUser = authorized(
  CHANGE_USERS,
  ({ users, clock }: Ports<'users' | 'clock'>) =>
    async (caller, input: DisableUserInput) => {
      const { reason, transferTo, tokens, serviceAccounts, renameTaken = false, ...named } = input;
      const found = await findNamed(users, caller, named);
      if (!found.ok) return found;
      const user = found.value;
      const checked = checkText('reason', reason ?? '', 500);
      if (!checked.ok) return checked;
      const target = transferTo === null ? undefined : await users.findByEmail(transferTo);
      // An address of another account is answered as an unknown one, before the repository is asked.
      if (transferTo !== null && target?.accountId !== user.accountId)
        return err({ code: 'transfer_target_not_fit' });

      const revocation: Revocation = {
        at: clock.now(),
        by: actorOf(caller),
        reason: reason === null ? 'the user was disabled' : `the user was disabled: ${reason}`,
      };
      const event = eventBy(caller, userDisabled(user, { at: revocation.at, reason, target }));
      const options = { transferTo: target?.id, tokens, serviceAccounts, renameTaken };
      return users.disable(user.id, revocation, event, options);
    },
);

/** The event of a disabled user. It names the user who receives the API tokens, if there is one. */
export function userDisabled(
  user: User,
  { at, reason, target }: Pick<Revocation, 'at' | 'reason'> & { readonly target: User | undefined },
) {
  const { email } = user;
  const details = { email, ...serviceDetails(user), reason, ...(target && { tokens_to: target.email }) };
  return eventOf(at, 'user.disabled', user, details);
}

/** Enables a disabled user. The tokens that were revoked with the user stay revoked. */
export const enableUser = authorized(
  CHANGE_USERS,
  ({ users, clock }: Ports<'users' | 'clock'>) =>
    async (caller, named: NamedUser) => {
      const found = await findNamed(users, caller, named);
      if (!found.ok) return found;
      const { id, email: ofUser } = found.value;
      const event = eventOf(clock.now(), 'user.enabled', found.value, { email: ofUser });
      return users.enable(id, eventBy(caller, event));
    },
);
