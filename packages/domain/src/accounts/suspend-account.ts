import { type AccessDenied, authorize } from '../access/authorize.ts';
import type { Caller } from '../access/caller.ts';
import { eventBy } from '../audit/event-by.ts';
import type { InvalidInput } from '../invalid-input.ts';
import { err, type Result } from '../result.ts';
import { checkText } from '../text.ts';
import type { Clock } from '../time/clock.ts';
import type { AccountId } from './account.ts';
import type { AccountNotFound, AccountRepository, ChangedAccount } from './account-repository.ts';

export type SuspendAccount = (
  caller: Caller,
  input: { readonly id: AccountId; readonly reason: string | null },
) => Promise<Result<ChangedAccount, AccessDenied | InvalidInput | AccountNotFound>>;

/** Blocks all of the account's users and tokens, its admins' too, until it is resumed. */
export function suspendAccount({
  accounts,
  clock,
}: {
  readonly accounts: AccountRepository;
  readonly clock: Clock;
}): SuspendAccount {
  return async (caller, { id, reason }) => {
    const allowed = authorize(caller, 'accounts:manage');
    if (!allowed.ok) return allowed;
    const explained = checkText('reason', reason ?? '', 500);
    if (!explained.ok) return explained;
    const account = await accounts.findById(id);
    if (!account) return err({ code: 'account_not_found' });

    const at = clock.now();
    const event = eventBy(allowed.value, {
      at,
      action: 'account.suspended',
      subject: { type: 'account', id: String(id) },
      accountId: id,
      details: { name: account.name, reason },
    });
    return accounts.suspend(id, at, event);
  };
}
