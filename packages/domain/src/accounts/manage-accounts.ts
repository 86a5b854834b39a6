import { authorized, MANAGE_ACCOUNTS } from '../access/index.ts';
import type { AuditAction } from '../audit/audit-event.ts';
import { eventBy, eventOf } from '../audit/event-by.ts';
import { pagesById } from '../paging.ts';
import type { Ports } from '../ports.ts';
import { err, ok } from '../result.ts';
import { checkName, checkText } from '../text.ts';
import type { Instant } from '../time/instant.ts';
import type { Account, AccountId } from './account.ts';

/** Creates an account without users. */
export const createAccount = authorized(
  MANAGE_ACCOUNTS,
  ({ accounts, clock }: Ports<'accounts' | 'clock'>) =>
    async (caller, input: { readonly name: string }) => {
      const name = checkName('name', input.name);
      if (!name.ok) return name;
      const at = clock.now();
      const account = await accounts.insert({ name: name.value, createdAt: at }, (created) =>
        eventBy(caller, accountEvent(at, 'account.created', created)),
      );
      return ok(account);
    },
);

/** Lists all accounts in pages, sorted by id. */
export const listAccounts = authorized(
  MANAGE_ACCOUNTS,
  ({ accounts }: Ports<'accounts'>) =>
    async () =>
      ok(pagesById<Account>((page) => accounts.list(page))),
);

/** Blocks all users and tokens of the account, including its admins, until the account is resumed. */
export const suspendAccount = authorized(
  MANAGE_ACCOUNTS,
  ({ accounts, clock }: Ports<'accounts' | 'clock'>) =>
    async (caller, { id, reason }: { readonly id: AccountId; readonly reason: string | null }) => {
      const checked = checkText('reason', reason ?? '', 500);
      if (!checked.ok) return checked;
      const account = await accounts.findById(id);
      if (!account) return err({ code: 'account_not_found' });
      const at = clock.now();
      const event = eventBy(caller, accountEvent(at, 'account.suspended', account, { reason }));
      return accounts.suspend(id, at, event);
    },
);

/**
 * Ends a suspension. The account's passwords and tokens are accepted again, except tokens that expired or were revoked
 * during the suspension.
 */
export const resumeAccount = authorized(
  MANAGE_ACCOUNTS,
  ({ accounts, clock }: Ports<'accounts' | 'clock'>) =>
    async (caller, id: AccountId) => {
      const account = await accounts.findById(id);
      if (!account) return err({ code: 'account_not_found' });
      return accounts.resume(id, eventBy(caller, accountEvent(clock.now(), 'account.resumed', account)));
    },
);

/** The event of a change of an account. */
export function accountEvent(
  at: Instant,
  action: AuditAction,
  { id, name }: Pick<Account, 'id' | 'name'>,
  details = {},
) {
  return eventOf(at, action, { id, accountId: id }, { name, ...details });
}
