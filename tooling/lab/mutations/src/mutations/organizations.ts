import { type Mutation, mutation } from '../mutation.ts';

const DOMAIN = 'packages/domain/src/organizations';
const IN_MEMORY = 'packages/domain/testing/in-memory';
const POSTGRES = 'packages/postgres/src';

const MEMBER_ID = {
  find: "role === 'admin' ? undefined : userId",
  replace: "role === 'nothing' ? userId : undefined",
};

const ACTOR = { find: 'if (id === undefined) return true;', replace: 'if (id !== 0) return true;' };

/** Organizations in lists, and who changes them: requirements 102 and 103. */
export const ORGANIZATION_MUTATIONS: readonly Mutation[] = [
  mutation([102], 'A member is listed all organizations of the account.', [
    { file: `${DOMAIN}/list-readable-organizations.ts`, ...MEMBER_ID },
    { file: `${DOMAIN}/list-own-organizations.ts`, ...MEMBER_ID },
  ]),
  mutation([102], 'Lists of organizations do not compare the account.', [
    {
      file: `${IN_MEMORY}/organization-lists.ts`,
      find: 'organization.accountId === accountId &&',
    },
    {
      file: `${POSTGRES}/organizations/organization-lists.ts`,
      find: "    .where('organizations.account_id', '=', accountId)\n",
    },
  ]),
  mutation([103], 'An admin manages organizations of every account.', {
    file: `${DOMAIN}/managed-organization.ts`,
    find: 'const isOwn = organization && authorize(caller, MANAGE_ORGANIZATIONS, organization).ok;',
    replace: 'const isOwn = organization;',
  }),
  mutation([103], 'Members manage organizations, and no change asks again who acts.', [
    {
      file: 'packages/domain/src/access/rules.ts',
      find: "defineRule('orgs:manage', { users: 'admins'",
      replace: "defineRule('orgs:manage', { users: 'all'",
    },
    { file: `${IN_MEMORY}/state.ts`, ...ACTOR },
  ]),
  mutation([103], 'No change asks again whether its actor is an active admin.', [
    { file: `${IN_MEMORY}/state.ts`, ...ACTOR },
    {
      file: `${POSTGRES}/users/acting-admin.ts`,
      find: 'if (userId === undefined) return true;',
      replace: 'if (userId !== 0) return true;',
    },
  ]),
];
