export { type Account, type AccountId, parseAccountId } from './account.ts';
export type { AccountRepository, AccountUse } from './account-repository.ts';
export type { UsedAccount } from './manage-accounts.ts';
export {
  createAccount,
  findAccountUse,
  listAccounts,
  resumeAccount,
  suspendAccount,
} from './manage-accounts.ts';
