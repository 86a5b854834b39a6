export { type Account, type AccountId, parseAccountId } from './account.ts';
export type { AccountRepository, AccountUse } from './account-repository.ts';
export {
  createAccount,
  findAccountUse,
  listAccounts,
  resumeAccount,
  suspendAccount,
  type UsedAccount,
} from './manage-accounts.ts';
