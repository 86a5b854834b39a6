import { actorOf, authorized, MANAGE_USERS } from '../access/index.ts';
import { checkAccount, type InAccount } from '../accounts/account-repository.ts';
import { eventBy, eventOf } from '../audit/event-by.ts';
import { pagesById } from '../paging.ts';
import type { Ports } from '../ports.ts';
import { err, ok, type Result } from '../result.ts';
import { checkName, checkText } from '../text.ts';
import { type TokenStatus, tokenStatus } from '../tokens/administration/token-status.ts';
import type { Revocation } from '../tokens/token.ts';
import { parseEmail } from './email.ts';
import { checkPassword } from './password-policy.ts';
import type { Role, User } from './user.ts';
import type { UserNotFound, UserRepository } from './user-repository.ts';

export interface CreateUserInput extends Pick<User, 'accountId' | 'name' | 'role'> {
  readonly email: string;
  readonly password: string;
}

/** Creates a user with a password. If several fields are invalid, the error lists all of them. */
export const createUser = authorized(
  MANAGE_USERS,
  ({ accounts, users, passwords, clock }: Ports<'accounts' | 'users' | 'passwords' | 'clock'>) =>
    async (caller, input: CreateUserInput) => {
      const email = parseEmail(input.email);
      const name = checkName('name', input.name);
      const password = email.ok ? checkPassword(input.password, email.value) : undefined;
      if (!email.ok || !name.ok || !password?.ok) {
        const checks = [email, name, password];
        const problems = checks.flatMap((check) => (check && !check.ok ? check.error.problems : []));
        return err({ code: 'invalid_input', problems });
      }

      // If the account does not exist or the email is taken, the slow hash is not computed. The database checks both
      // again when the user is inserted.
      if (!(await accounts.findById(input.accountId))) return err({ code: 'account_not_found' });
      if (await users.findByEmail(email.value)) return err({ code: 'email_taken' });
      const passwordHash = await passwords.hash(password.value);
      if (!passwordHash.ok) return passwordHash;

      const { accountId, role } = input;
      const at = clock.now();
      const named = { accountId, email: email.value, name: name.value, role };
      const user = { ...named, passwordHash: passwordHash.value, createdAt: at };
      return users.insert(user, (created) =>
        eventBy(caller, eventOf(at, 'user.created', created, { email: created.email, role })),
      );
    },
);

/** Finds a user by email. */
export const findUser = authorized(
  MANAGE_USERS,
  ({ users }: Ports<'users'>) =>
    async (_, email: string) =>
      findByEmail(users, email),
);

/** Lists the users of one account or of all accounts, in pages that are sorted by id. */
export const listUsers = authorized(
  MANAGE_USERS,
  ({ accounts, users }: Ports<'accounts' | 'users'>) =>
    async (_, { accountId }: InAccount) => {
      const known = await checkAccount(accounts, accountId);
      return known.ok ? ok(pagesById<User>((page) => users.list({ accountId, ...page }))) : known;
    },
);

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
  MANAGE_USERS,
  ({ users, clock }: Ports<'users' | 'clock'>) =>
    async (_, { email, limit }: { readonly email: string; readonly limit: number }) => {
      const found = await findByEmail(users, email);
      if (!found.ok) return found;
      const at = clock.now();
      const tokens = await users.listLiveTokens(found.value.id, { at, limit });
      return ok({ user: found.value, tokens: tokens.map((token) => tokenStatus(token, at)) });
    },
);

/** Changes a user's role. After the change, the user's tokens have the rights of the new role. */
export const setRole = authorized(
  MANAGE_USERS,
  ({ users, clock }: Ports<'users' | 'clock'>) =>
    async (caller, { email, role }: { readonly email: string; readonly role: Role }) => {
      const found = await findByEmail(users, email);
      if (!found.ok) return found;
      return users.setRole(found.value.id, role, (before) => {
        const details = { email: before.email, from: before.role, to: role };
        return eventBy(caller, eventOf(clock.now(), 'user.role_set', before, details));
      });
    },
);

/** Sets a user's password and revokes the user's sign-in tokens. API tokens keep working. */
export const setPassword = authorized(
  MANAGE_USERS,
  ({ users, passwords, clock }: Ports<'users' | 'passwords' | 'clock'>) =>
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
      const event = eventBy(caller, eventOf(at, 'user.password_set', user, { email: user.email }));
      return users.setPassword(user.id, hash.value, revocation, event);
    },
);

interface DisableUserInput {
  readonly email: string;
  readonly reason: string | null;
  /** The email of the admin who receives the live API tokens; null to revoke them. */
  readonly transferTo: string | null;
  /**
   * Whether to rename tokens whose name the new owner already uses. If false, a transfer of such tokens is refused.
   * Default: false.
   */
  readonly renameTaken?: boolean;
}

/**
 * Disables a user. Permanently revokes the user's tokens, except the API tokens that are transferred to another admin.
 */
export const disableUser = authorized(
  MANAGE_USERS,
  ({ users, clock }: Ports<'users' | 'clock'>) =>
    async (caller, { email, reason, transferTo, renameTaken = false }: DisableUserInput) => {
      const found = await findByEmail(users, email);
      if (!found.ok) return found;
      const user = found.value;
      const checked = checkText('reason', reason ?? '', 500);
      if (!checked.ok) return checked;
      const target = transferTo === null ? undefined : await users.findByEmail(transferTo);
      if (transferTo !== null && !target) return err({ code: 'transfer_target_not_fit' });

      const revocation: Revocation = {
        at: clock.now(),
        by: actorOf(caller),
        reason: reason === null ? 'the user was disabled' : `the user was disabled: ${reason}`,
      };
      const event = eventBy(caller, userDisabled(user, { at: revocation.at, reason, target }));
      return users.disable(user.id, revocation, event, target && { transferTo: target.id, renameTaken });
    },
);

/** The event of a disabled user. It names the admin who receives the user's API tokens, if there is one. */
export function userDisabled(
  user: User,
  { at, reason, target }: Pick<Revocation, 'at' | 'reason'> & { readonly target: User | undefined },
) {
  const details = { email: user.email, reason, ...(target && { tokens_to: target.email }) };
  return eventOf(at, 'user.disabled', user, details);
}

/** Enables a disabled user. The tokens that were revoked with the user stay revoked. */
export const enableUser = authorized(
  MANAGE_USERS,
  ({ users, clock }: Ports<'users' | 'clock'>) =>
    async (caller, email: string) => {
      const found = await findByEmail(users, email);
      if (!found.ok) return found;
      const { id, email: ofUser } = found.value;
      const event = eventOf(clock.now(), 'user.enabled', found.value, { email: ofUser });
      return users.enable(id, eventBy(caller, event));
    },
);

async function findByEmail(users: UserRepository, email: string): Promise<Result<User, UserNotFound>> {
  const user = await users.findByEmail(email);
  return user ? ok(user) : err({ code: 'user_not_found' });
}
