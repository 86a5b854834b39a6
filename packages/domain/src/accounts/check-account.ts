import { err, ok } from '../result.ts';
import type { AccountId } from './account.ts';
import type { AccountRepository } from './account-repository.ts';

/** Selects what belongs to this account, or to any if it is undefined. */
export interface InAccount {
  readonly accountId?: AccountId | undefined;
}

/** Checks that the account of a filter exists, if one is given. */
export async function checkAccount(accounts: AccountRepository, id: AccountId | undefined) {
  if (id === undefined || (await accounts.findById(id))) return ok(undefined);
  return err({ code: 'account_not_found' });
}
