import { type Mutation, mutation } from '../mutation.ts';

const USERS = 'packages/domain/src/users';
const ADAPTER = 'packages/postgres/src/users';
const PAGES = 'packages/pages/src/users';

/** Admins who see and change the users of their account: requirements 94 to 97. */
export const USER_MUTATIONS: readonly Mutation[] = [
  mutation([94], 'An admin reaches the users of every account.', {
    file: `${USERS}/named-user.ts`,
    find: "return caller.kind === 'operator' || caller.accountId === accountId;",
    replace: "return caller.kind === 'operator' || accountId > 0;",
  }),
  mutation([94], 'Every user may see the users of the account.', {
    file: 'packages/domain/src/access/rules.ts',
    find: "defineRule('users:read', { users: 'admins'",
    replace: "defineRule('users:read', { users: 'all'",
  }),
  mutation([94], 'The list has the users of all accounts.', {
    file: `${ADAPTER}/account-users.ts`,
    find: 'account_id = ${query.accountId} and ${filtersOf(query)}',
    replace: 'account_id > 0 and ${filtersOf(query)}',
  }),
  mutation([94], 'A form for one user changes any user of any account.', [
    {
      file: 'packages/pages/src/forms/form-token.ts',
      find: "authenticate(key, 'form', [path, target, String(user)])",
      replace: "authenticate(key, 'form', [path.slice(0, 0), target, String(user)])",
    },
    {
      file: `${USERS}/named-user.ts`,
      find: "return caller.kind === 'operator' || caller.accountId === accountId;",
      replace: "return caller.kind === 'operator' || accountId > 0;",
    },
  ]),
  mutation([95], 'The pages say that the last admin was demoted or disabled.', [
    {
      file: `${PAGES}/user-role.ts`,
      find: "error.code === 'last_admin' ? withAlert(again(), LAST_ADMIN, 409)",
      replace: "error.code === 'last_admin' ? redirect(userPath(user.id), 'user_role_changed')",
    },
    {
      file: `${PAGES}/disable-user.ts`,
      find: 'return withAlert(again([]), LAST_ADMIN, 409);',
      replace: 'return withAlert(again([]), LAST_ADMIN, 200);',
    },
  ]),
  mutation([95], 'The last admin of an account can be demoted and disabled.', {
    file: `${ADAPTER}/active-admins.ts`,
    find: 'return (await others.executeTakeFirst()) === undefined;',
    replace: 'return (await others.executeTakeFirst()) === undefined && false;',
  }),
  mutation([96, 101, 103, 108, 109], 'An admin who was demoted or disabled meanwhile may still act.', [
    {
      file: `${ADAPTER}/acting-admin.ts`,
      find: 'if (userId === undefined) return true;',
      replace: 'if (userId === undefined || userId > 0) return true;',
    },
    {
      file: 'packages/domain/testing/in-memory/state.ts',
      find: 'if (id === undefined) return true;',
      replace: 'if (id === undefined || id > 0) return true;',
    },
  ]),
  mutation([96], 'An admin is asked for again without waiting for changes of the account.', {
    file: `${ADAPTER}/acting-admin.ts`,
    find: 'const account = await lockAccount(tx, event.accountId);\n  if (!account || account.suspendedAt !== null) return false;',
    replace: 'void lockAccount;',
  }),
  mutation([97], 'Tokens are revoked if one says nothing.', {
    file: `${PAGES}/disable-user/tokens.ts`,
    find: "if (tokens === REVOKE || (facts.tokens.count === 0 && tokens === '')) return none;",
    replace: "if (tokens === REVOKE || tokens === '') return none;",
  }),
  mutation([97], 'The page offers to give the tokens of a member to an admin.', {
    file: `${PAGES}/disable-user/tokens.ts`,
    find: "owners.filter(({ role }) => user.role === 'admin' || role === 'member');",
    replace: 'user ? owners : [];',
  }),
  mutation([97], 'A member can receive tokens.', {
    file: `${USERS}/token-transfer.ts`,
    find: "    (to.kind === 'service' || to.role === 'admin') &&\n",
    replace: '',
  }),
  mutation([97], 'A role is changed without the password.', {
    file: `${PAGES}/user-role.ts`,
    find: 'await confirmGivenPassword(ports, request, given, again)',
    replace: '{ ok: true as const, value: request, error: again() }',
  }),
  mutation([97], 'An admin gives the tokens of a member to an admin.', {
    file: `${USERS}/token-transfer.ts`,
    find: "to.role === 'admin' && actingUser(event) !== undefined;",
    replace: "to.role === 'admin' && actingUser(event) !== undefined && false;",
  }),
  mutation([97], 'A user is disabled without the password.', {
    file: `${PAGES}/disable-user.ts`,
    find: 'await confirmGivenPassword(ports, request, values, again)',
    replace: 'await Promise.resolve(ok(request))',
  }),
];
