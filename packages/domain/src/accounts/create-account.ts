import { type AccessDenied, authorize } from '../access/authorize.ts';
import type { Caller } from '../access/caller.ts';
import { eventBy } from '../audit/event-by.ts';
import type { InvalidInput } from '../invalid-input.ts';
import { ok, type Result } from '../result.ts';
import { checkName } from '../text.ts';
import type { Clock } from '../time/clock.ts';
import type { Account } from './account.ts';
import type { AccountRepository } from './account-repository.ts';

export interface CreateAccountPorts {
  readonly accounts: AccountRepository;
  readonly clock: Clock;
}

export type CreateAccount = (
  caller: Caller,
  input: { readonly name: string },
) => Promise<Result<Account, AccessDenied | InvalidInput>>;

export function createAccount({ accounts, clock }: CreateAccountPorts): CreateAccount {
  return async (caller, input) => {
    const allowed = authorize(caller, 'accounts:manage');
    if (!allowed.ok) return allowed;
    const name = checkName('name', input.name);
    if (!name.ok) return name;

    const at = clock.now();
    const account = await accounts.insert({ name: name.value, createdAt: at }, (created) =>
      eventBy(allowed.value, {
        at,
        action: 'account.created',
        subject: { type: 'account', id: String(created.id) },
        accountId: created.id,
        details: { name: created.name },
      }),
    );
    return ok(account);
  };
}
