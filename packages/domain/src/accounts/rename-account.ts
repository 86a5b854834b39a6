import { authorize, authorized, RENAME_ACCOUNTS } from '../access/index.ts';
import { eventBy } from '../audit/event-by.ts';
import type { Ports } from '../ports.ts';
import { err } from '../result.ts';
import { checkName } from '../text.ts';
import type { AccountId } from './account.ts';
import { accountEvent } from './manage-accounts.ts';

/** Renames an account. For a user, an account of others is not found. Several accounts can have one name. */
export const renameAccount = authorized(
  RENAME_ACCOUNTS,
  ({ accounts, clock }: Ports<'accounts' | 'clock'>) =>
    async (caller, { id, ...input }: { readonly id: AccountId; readonly name: string }) => {
      if (!authorize(caller, RENAME_ACCOUNTS, { accountId: id }).ok)
        return err({ code: 'account_not_found' });
      const name = checkName('name', input.name);
      if (!name.ok) return name;
      return accounts.rename(id, name.value, (before) => {
        const details = { former_name: before.name };
        return eventBy(
          caller,
          accountEvent(clock.now(), 'account.renamed', { id, name: name.value }, details),
        );
      });
    },
);
