import { actorOf, authorized, MANAGE_USERS } from '../access/index.ts';
import { checkAccount, type InAccount } from '../accounts/account-repository.ts';
import { eventBy, eventOf } from '../audit/event-by.ts';
import { pagesById } from '../paging.ts';
import type { Ports } from '../ports.ts';
import { err, ok, type Result } from '../result.ts';
import { checkName, checkText } from '../text.ts';
import type { Revocation } from '../tokens/token.ts';
import { parseEmail } from './email.ts';
import { findPerson } from './named-user.ts';
import { checkPassword } from './password-policy.ts';
import type { User } from './user.ts';
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

/** Selects users by the beginning of the email, or of any word of the name; all users without a search. */
type SearchedUsers = InAccount & { readonly search?: string | undefined };

/** Lists the users of one account or of all accounts, in pages that are sorted by id. */
export const listUsers = authorized(
  MANAGE_USERS,
  ({ accounts, users }: Ports<'accounts' | 'users'>) =>
    async (_, { accountId, search }: SearchedUsers) => {
      const checked = checkText('search', search ?? '', 320);
      if (!checked.ok) return checked;
      const known = await checkAccount(accounts, accountId);
      return known.ok ? ok(pagesById<User>((page) => users.list({ accountId, search, ...page }))) : known;
    },
);

/** Sets a user's password and revokes the user's sign-in tokens. API tokens keep working. */
export const setPassword = authorized(
  MANAGE_USERS,
  ({ users, passwords, clock }: Ports<'users' | 'passwords' | 'clock'>) =>
    async (caller, { email, ...input }: { readonly email: string; readonly password: string }) => {
      const found = await findPerson(users, caller, { email });
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

async function findByEmail(users: UserRepository, email: string): Promise<Result<User, UserNotFound>> {
  const user = await users.findByEmail(email);
  return user ? ok(user) : err({ code: 'user_not_found' });
}
