import { type Mutation, mutation } from '../mutation.ts';

const DOMAIN = 'packages/domain/src/links';
const ADAPTER = 'packages/postgres/src/links';

/** Invitations and password-reset links: requirements 98 to 101. */
export const LINK_MUTATIONS: readonly Mutation[] = [
  mutation([98], 'An invitation creates a user for each use.', {
    file: `${ADAPTER}/invitation-repository.ts`,
    find: '        await deleteInvitation(tx, found.id);\n',
    replace: '',
  }),
  mutation([98], 'A used reset link stays.', {
    file: 'packages/postgres/src/users/set-hash.ts',
    find: '  await endResetLinksFor(tx, id);\n',
    replace: '  void endResetLinksFor;\n',
  }),
  mutation([99], 'An invitation tells that another account has the address.', {
    file: `${ADAPTER}/invitation-repository.ts`,
    find: "    .where(isStoredUnder(emailKeysOf(email)))\n    .where('account_id', '=', accountId);",
    replace: "    .where(isStoredUnder(emailKeysOf(email)))\n    .where('account_id', '>=', accountId);",
  }),
  mutation([100], 'An admin invites an admin.', {
    file: `${DOMAIN}/link-makers.ts`,
    find: "role === 'admin' || (accountId",
    replace: '(accountId',
  }),
  mutation([100], 'An admin resets the password of a former admin.', {
    file: `${ADAPTER}/reset-link-repository.ts`,
    find: 'if (madeBy !== null && (await wasAdmin(tx, userId)))',
    replace: 'if (madeBy !== null && (await wasAdmin(tx, userId)) && false)',
  }),
  mutation([101], 'The links of an admin outlive the rights.', {
    file: `${ADAPTER}/end-links.ts`,
    find: "    .where('invited_by', '=', id)",
    replace: "    .where('invited_by', '=', id)\n    .where('id', 'is', null)",
  }),
  mutation([101], 'An admin replaces an invitation of the operator.', {
    file: `${ADAPTER}/invitation-repository.ts`,
    find: 'if (replaced?.invited_by === null && invitedBy !== null)',
    replace: 'if (replaced?.invited_by === null && invitedBy !== null && open.length > limit)',
  }),
];
