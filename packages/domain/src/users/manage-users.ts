import { authorized } from '../access/authorized.ts';
import { actorOf, type Operator, type Principal } from '../access/caller.ts';
import { MANAGE_USERS } from '../access/rules.ts';
import type { AccountId } from '../accounts/account.ts';
import type { AccountRepository } from '../accounts/account-repository.ts';
import type { AuditEvent } from '../audit/audit-event.ts';
import { eventBy } from '../audit/event-by.ts';
import { pagesById } from '../paging.ts';
import { err, ok, type Result } from '../result.ts';
import { checkText } from '../text.ts';
import type { Clock } from '../time/clock.ts';
import { type TokenStatus, tokenStatus } from '../tokens/administration/token-status.ts';
import type { Revocation } from '../tokens/token.ts';
import { emailKey } from './email.ts';
import type { PasswordHasher } from './password-hasher.ts';
import { checkPassword } from './password-policy.ts';
import type { Role, User } from './user.ts';
import type { UserNotFound, UserRepository } from './user-repository.ts';

interface Ports {
  readonly users: UserRepository;
  readonly clock: Clock;
}

/** Finds a user by email. */
export const findUser = authorized(
  MANAGE_USERS,
  ({ users }: Pick<Ports, 'users'>) =>
    async (_, email: string) =>
      findByEmail(users, email),
);

interface ListUsersPorts extends Pick<Ports, 'users'> {
  readonly accounts: AccountRepository;
}

export const listUsers = authorized(
  MANAGE_USERS,
  ({ accounts, users }: ListUsersPorts) =>
    async (_, { accountId }: { readonly accountId?: AccountId | undefined }) => {
      if (accountId !== undefined && !(await accounts.findById(accountId))) {
        return err({ code: 'account_not_found' });
      }
      const filter = accountId === undefined ? {} : { accountId };
      return ok(pagesById<User>((page) => users.list({ ...filter, ...page })));
    },
);

/** A user and the tokens that disabling the user would revoke. */
export interface UserWithTokens {
  readonly user: User;
  /** API tokens first. */
  readonly tokens: readonly TokenStatus[];
}

/** Finds a user with at most `limit` of the user's live tokens, including those of a suspended account. */
export const findLiveTokens = authorized(
  MANAGE_USERS,
  ({ users, clock }: Ports) =>
    async (_, { email, limit }: { readonly email: string; readonly limit: number }) => {
      const found = await findByEmail(users, email);
      if (!found.ok) return found;
      const at = clock.now();
      const tokens = await users.listLiveTokens(found.value.id, { at, limit });
      return ok({ user: found.value, tokens: tokens.map((token) => tokenStatus(token, at)) });
    },
);

/** Changes a user's role. The user's tokens have the rights of the new role from then on. */
export const setRole = authorized(
  MANAGE_USERS,
  ({ users, clock }: Ports) =>
    async (caller, { email, role }: { readonly email: string; readonly role: Role }) => {
      const found = await findByEmail(users, email);
      if (!found.ok) return found;
      return users.setRole(found.value.id, role, (before) =>
        userEvent(caller, { at: clock.now(), action: 'user.role_set' }, before, {
          from: before.role,
          to: role,
        }),
      );
    },
);

interface SetPasswordPorts extends Ports {
  readonly passwords: PasswordHasher;
}

/** Sets a user's password and revokes the user's sign-in tokens. API tokens keep working. */
export const setPassword = authorized(
  MANAGE_USERS,
  ({ users, passwords, clock }: SetPasswordPorts) =>
    async (caller, { email, ...input }: { readonly email: string; readonly password: string }) => {
      const found = await findByEmail(users, email);
      if (!found.ok) return found;
      const user = found.value;
      const password = checkPassword(input.password, user.email);
      if (!password.ok) return password;
      const hash = await passwords.hash(password.value);
      if (!hash.ok) return hash;
      const at = clock.now();
      const revocation: Revocation = { at, by: actorOf(caller), reason: 'the password was changed' };
      const event = userEvent(caller, { at, action: 'user.password_set' }, user);
      return users.setPassword(user.id, hash.value, revocation, event);
    },
);

interface DisableUserInput {
  readonly email: string;
  readonly reason: string | null;
  /** The email of the admin who receives the live API tokens; null to revoke them. */
  readonly transferTo: string | null;
  /** Renames tokens whose name the new owner already uses; without it, such a transfer is refused. */
  readonly renameTaken?: boolean;
}

/** Disables a user and permanently revokes the user's tokens, except for those that are transferred. */
export const disableUser = authorized(
  MANAGE_USERS,
  ({ users, clock }: Ports) =>
    async (caller, { email, reason, transferTo, renameTaken = false }: DisableUserInput) => {
      const found = await findByEmail(users, email);
      if (!found.ok) return found;
      const user = found.value;
      const checked = checkText('reason', reason ?? '', 500);
      if (!checked.ok) return checked;
      const target = transferTo === null ? undefined : await users.findByEmail(emailKey(transferTo));
      if (transferTo !== null && !target) return err({ code: 'transfer_target_not_fit' });

      const revocation: Revocation = {
        at: clock.now(),
        by: actorOf(caller),
        reason: reason === null ? 'the user was disabled' : `the user was disabled: ${reason}`,
      };
      const event = userEvent(caller, { at: revocation.at, action: 'user.disabled' }, user, {
        reason,
        ...(target && { tokens_to: target.email }),
      });
      return users.disable(user.id, revocation, event, target && { transferTo: target.id, renameTaken });
    },
);

/** Enables a disabled user. The tokens that were revoked with the user stay revoked. */
export const enableUser = authorized(
  MANAGE_USERS,
  ({ users, clock }: Ports) =>
    async (caller, email: string) => {
      const found = await findByEmail(users, email);
      if (!found.ok) return found;
      const user = found.value;
      return users.enable(user.id, userEvent(caller, { at: clock.now(), action: 'user.enabled' }, user));
    },
);

async function findByEmail(users: UserRepository, email: string): Promise<Result<User, UserNotFound>> {
  const user = await users.findByEmail(emailKey(email));
  return user ? ok(user) : err({ code: 'user_not_found' });
}

export function userEvent(
  caller: Principal | Operator,
  what: Pick<AuditEvent, 'at' | 'action'>,
  { id, accountId, email }: User,
  details: AuditEvent['details'] = {},
): AuditEvent {
  const subject = { type: 'user', id: String(id) } as const;
  return eventBy(caller, { ...what, subject, accountId, details: { email, ...details } });
}
