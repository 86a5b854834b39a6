import { type AccessDenied, authorize } from '../access/authorize.ts';
import type { Caller } from '../access/caller.ts';
import { eventBy } from '../audit/event-by.ts';
import { err, type Result } from '../result.ts';
import type { Clock } from '../time/clock.ts';
import type { AccountId } from './account.ts';
import type { AccountNotFound, AccountRepository, ChangedAccount } from './account-repository.ts';

export type ResumeAccount = (
  caller: Caller,
  id: AccountId,
) => Promise<Result<ChangedAccount, AccessDenied | AccountNotFound>>;

/** Lifts a suspension: what was good before is good again, unless it ended meanwhile. */
export function resumeAccount({
  accounts,
  clock,
}: {
  readonly accounts: AccountRepository;
  readonly clock: Clock;
}): ResumeAccount {
  return async (caller, id) => {
    const allowed = authorize(caller, 'accounts:manage');
    if (!allowed.ok) return allowed;
    const account = await accounts.findById(id);
    if (!account) return err({ code: 'account_not_found' });

    const event = eventBy(allowed.value, {
      at: clock.now(),
      action: 'account.resumed',
      subject: { type: 'account', id: String(id) },
      accountId: id,
      details: { name: account.name },
    });
    return accounts.resume(id, event);
  };
}
