export { type Account, type AccountId, parseAccountId } from './account.ts';
export type { AccountRepository, AccountUse } from './account-repository.ts';
export { type CreateAccount, createAccount } from './create-account.ts';
export { findAccountUse, type UsedAccount } from './find-account-use.ts';
export { type ListAccounts, listAccounts } from './list-accounts.ts';
export { resumeAccount } from './resume-account.ts';
export { suspendAccount } from './suspend-account.ts';
