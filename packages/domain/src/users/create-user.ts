import { authorized } from '../access/authorized.ts';
import { MANAGE_USERS } from '../access/rules.ts';
import type { AccountId } from '../accounts/account.ts';
import { eventBy, eventOf } from '../audit/event-by.ts';
import { invalidInput } from '../invalid-input.ts';
import type { Ports } from '../ports.ts';
import { err } from '../result.ts';
import { checkName } from '../text.ts';
import { emailKey, parseEmail } from './email.ts';
import { checkPassword } from './password-policy.ts';
import type { Role } from './user.ts';

export interface CreateUserInput {
  readonly accountId: AccountId;
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  readonly password: string;
}

export const createUser = authorized(
  MANAGE_USERS,
  ({ accounts, users, passwords, clock }: Ports<'accounts' | 'users' | 'passwords' | 'clock'>) =>
    async (caller, input: CreateUserInput) => {
      const email = parseEmail(input.email);
      const name = checkName('name', input.name);
      const password = email.ok ? checkPassword(input.password, email.value) : undefined;
      if (!email.ok || !name.ok || !password?.ok) {
        const wrong = [email, name, password].flatMap((check) =>
          check && !check.ok ? check.error.problems : [],
        );
        return err(invalidInput(...wrong));
      }

      // Checked before the slow hash, and again by the database on insert.
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
        (created) => eventBy(caller, eventOf(at, 'user.created', created, { email: created.email, role })),
      );
    },
);
