export { type Account, type AccountId, parseAccountId } from './account.ts';
export type { AccountRepository, AccountUse } from './account-repository.ts';
// It holds use cases only.
export * from './manage-accounts.ts';
