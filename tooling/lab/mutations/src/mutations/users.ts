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
  mutation([95], 'The last admin of an account can be demoted and disabled.', {
    file: `${ADAPTER}/active-admins.ts`,
    find: 'return (await others.executeTakeFirst()) === undefined;',
    replace: 'return (await others.executeTakeFirst()) === undefined && false;',
  }),
  mutation([96], 'An admin who was demoted or disabled meanwhile may still act.', {
    file: `${ADAPTER}/acting-admin.ts`,
    find: 'if (userId === undefined) return true;',
    replace: 'if (userId === undefined || userId > 0) return true;',
  }),
  mutation([96], 'An admin is asked for again without waiting for changes of the account.', {
    file: `${ADAPTER}/acting-admin.ts`,
    find: 'const account = await lockAccount(tx, event.accountId);\n  if (!account || account.suspendedAt !== null) return false;',
    replace: 'void lockAccount;',
  }),
  mutation([97], 'Tokens are revoked if one says nothing.', {
    file: `${PAGES}/disable-user/tokens.ts`,
    find: "if (asked.shown.tokens.count === 0 && tokens === '') return [];",
    replace: "if (tokens === '') return [];",
  }),
  mutation([97], 'An admin gives the tokens of a member to an admin.', {
    file: `${USERS}/token-transfer.ts`,
    find: "return from.role !== 'admin' && actingUser(event) !== undefined;",
    replace: "return from.role !== 'admin' && actingUser(event) !== undefined && false;",
  }),
  mutation([97], 'A user is disabled without the password.', {
    file: `${PAGES}/disable-user.ts`,
    find: 'await confirmGivenPassword(ports, request, values.password, again)',
    replace: 'await Promise.resolve(ok(request))',
  }),
];
