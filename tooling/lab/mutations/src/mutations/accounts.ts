import { type Mutation, mutation } from '../mutation.ts';

const ACCOUNTS = 'packages/domain/src/accounts';

/** The account: who sees and renames it. Requirement 109. */
export const ACCOUNT_MUTATIONS: readonly Mutation[] = [
  mutation([109], 'An admin of any account renames an account.', {
    file: `${ACCOUNTS}/rename-account.ts`,
    find: 'if (!authorize(caller, RENAME_ACCOUNTS, { accountId: id }).ok)',
    replace: 'if (!authorize(caller, RENAME_ACCOUNTS).ok)',
  }),
  mutation([109], 'Users see the account of others.', {
    file: `${ACCOUNTS}/show-account.ts`,
    find: 'if (!authorize(caller, READ_ACCOUNT, { accountId: id }).ok)',
    replace: 'if (!authorize(caller, READ_ACCOUNT).ok)',
  }),
  mutation([109], 'Users learn of other accounts with the same name.', {
    file: `${ACCOUNTS}/show-account.ts`,
    find: 'export const listNamesakes = authorized(\n  MANAGE_ACCOUNTS,',
    replace: 'export const listNamesakes = authorized(\n  READ_ACCOUNT,',
  }),
  mutation([109], 'An admin who lost the rights meanwhile renames the account.', {
    file: 'packages/postgres/src/accounts/account-repository.ts',
    find: "        if (!(await actorMayAct(tx, event))) return err({ code: 'not_allowed' });\n        if (account.name === name)",
    replace: '        if (account.name === name)',
  }),
  mutation([109], 'An account is renamed without the password.', {
    file: 'packages/pages/src/account/account.ts',
    find: 'await confirmGivenPassword(ports, request, secrets, again)',
    replace: '{ ok: true as const, value: request, error: secrets }',
  }),
];
