export * from './account.ts';
export type * from './account-repository.ts';
export * from './manage-accounts.ts';
export * from './rename-account.ts';
export * from './show-account.ts';
