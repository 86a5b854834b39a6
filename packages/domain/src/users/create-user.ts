import { type AccessDenied, authorize } from '../access/authorize.ts';
import type { Caller } from '../access/caller.ts';
import type { AccountId } from '../accounts/account.ts';
import type { AccountNotFound, AccountRepository } from '../accounts/account-repository.ts';
import { eventBy } from '../audit/event-by.ts';
import { type InvalidInput, invalidInput } from '../invalid-input.ts';
import { err, type Result } from '../result.ts';
import { checkName } from '../text.ts';
import type { Clock } from '../time/clock.ts';
import { emailKey, parseEmail } from './email.ts';
import type { HashingBusy, PasswordHasher } from './password-hasher.ts';
import { checkPassword } from './password-policy.ts';
import type { Role, User } from './user.ts';
import { onUser } from './user-events.ts';
import type { EmailTaken, UserRepository } from './user-repository.ts';

export interface CreateUserPorts {
  readonly accounts: AccountRepository;
  readonly users: UserRepository;
  readonly passwords: PasswordHasher;
  readonly clock: Clock;
}

export interface CreateUserInput {
  readonly accountId: AccountId;
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  readonly password: string;
}

export type CreateUser = (
  caller: Caller,
  input: CreateUserInput,
) => Promise<Result<User, AccessDenied | InvalidInput | AccountNotFound | EmailTaken | HashingBusy>>;

export function createUser({ accounts, users, passwords, clock }: CreateUserPorts): CreateUser {
  return async (caller, input) => {
    const allowed = authorize(caller, 'users:manage');
    if (!allowed.ok) return allowed;

    const email = parseEmail(input.email);
    const name = checkName('name', input.name);
    const password = email.ok ? checkPassword(input.password, email.value) : undefined;
    if (!email.ok || !name.ok || !password?.ok) {
      const wrong = [email, name, password].flatMap((check) =>
        check && !check.ok ? check.error.problems : [],
      );
      return err(invalidInput(...wrong));
    }

    // Looked up before the slow hash; the database decides both again when it inserts.
    if (!(await accounts.findById(input.accountId))) return err({ code: 'account_not_found' });
    if (await users.findByEmail(emailKey(email.value))) return err({ code: 'email_taken' });
    const passwordHash = await passwords.hash(password.value);
    if (!passwordHash.ok) return passwordHash;

    const { accountId, role } = input;
    const at = clock.now();
    return users.insert(
      {
        accountId,
        email: email.value,
        name: name.value,
        role,
        passwordHash: passwordHash.value,
        createdAt: at,
      },
      (created) =>
        eventBy(allowed.value, {
          at,
          action: 'user.created',
          ...onUser(created),
          details: { email: created.email, role },
        }),
    );
  };
}
