import { authorize, authorized, MANAGE_ACCOUNTS, READ_ACCOUNT } from '../access/index.ts';
import type { Ports } from '../ports.ts';
import { err, ok } from '../result.ts';
import type { User } from '../users/user.ts';
import type { Account, AccountId } from './account.ts';
import type { AccountUse } from './account-repository.ts';

/** Maximum number of admins that are shown with an account. */
const MAX_ADMINS = 20;

/** An account, what it has, and who administers it. */
export interface ShownAccount {
  readonly account: Account;
  readonly use: AccountUse;
  /** At most 20 active admins, sorted by id. */
  readonly admins: readonly Pick<User, 'id' | 'name' | 'email'>[];
  /** Whether the account has more active admins than `admins`. */
  readonly moreAdmins: boolean;
}

interface ShowAccountInput {
  readonly id: AccountId;
  /** The number up to which users, tokens and organizations are counted. */
  readonly limit: number;
}

/** Shows an account, in three reads of the database. For a user, an account of others is not found. */
export const showAccount = authorized(
  READ_ACCOUNT,
  ({ accounts, users, clock }: Ports<'accounts' | 'users' | 'clock'>) =>
    async (caller, { id, limit }: ShowAccountInput) => {
      if (!authorize(caller, READ_ACCOUNT, { accountId: id }).ok) return err({ code: 'account_not_found' });
      const [account, use, found] = await Promise.all([
        accounts.findById(id),
        accounts.countUse(id, { at: clock.now(), limit }),
        users.listAdmins(id, MAX_ADMINS + 1),
      ]);
      if (!account) return err({ code: 'account_not_found' });
      const admins = found
        .slice(0, MAX_ADMINS)
        .map(({ id: adminId, name, email }) => ({ id: adminId, name, email }));
      return ok<ShownAccount>({ account, use, admins, moreAdmins: found.length > MAX_ADMINS });
    },
);

/** Maximum number of accounts of one name that are listed. */
const MAX_NAMESAKES = 10;

/**
 * Lists at most 10 other accounts that have the same name as this account. Only for the operator: an account must not
 * learn which other accounts there are.
 */
export const listNamesakes = authorized(
  MANAGE_ACCOUNTS,
  ({ accounts }: Ports<'accounts'>) =>
    async (_, { id, name }: Pick<Account, 'id' | 'name'>) => {
      const found = await accounts.listByName(name, MAX_NAMESAKES + 1);
      return ok(found.filter((other) => other.id !== id).slice(0, MAX_NAMESAKES));
    },
);
