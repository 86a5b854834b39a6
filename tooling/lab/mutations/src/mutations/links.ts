import { type Mutation, mutation } from '../mutation.ts';

const DOMAIN = 'packages/domain/src/links';
const ADAPTER = 'packages/postgres/src/links';

/** Invitations and password-reset links: requirements 98 to 101, 112 and 113. */
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
  mutation([112], 'An invitation is accepted without waiting for changes of the account.', {
    file: `${ADAPTER}/invitation-repository.ts`,
    find: 'return place && lockAccount(tx, place.account_id);',
    replace: 'return place && findAccount(tx, place.account_id);',
  }),
  mutation([112], 'A reset link is used without waiting for changes of the account and the user.', [
    {
      file: `${ADAPTER}/reset-link-repository.ts`,
      find: 'const account = place && (await lockAccountOfUser(tx, place.user_id));',
      replace: 'const account = place;',
    },
    {
      file: `${ADAPTER}/reset-link-repository.ts`,
      find: '        if (account) await lockUser(tx, place.user_id);\n',
      replace: '',
    },
  ]),
  mutation([113], 'A restored backup brings invitations back that were revoked.', {
    file: 'packages/domain/src/audit/reapply/lost-changes.ts',
    find: "  'invitation.revoked': (id",
    replace: "  'key.rewrapped': (id",
  }),
  mutation([113], 'A restored backup brings invitations back that were accepted.', {
    file: 'packages/domain/src/audit/reapply/lost-changes.ts',
    find: "  'invitation.accepted': (id",
    replace: "  'key.created': (id",
  }),
];
