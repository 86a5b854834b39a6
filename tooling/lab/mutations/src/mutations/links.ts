import { type Mutation, mutation } from '../mutation.ts';

const DOMAIN = 'packages/domain/src/links';
const ADAPTER = 'packages/postgres/src/links';
const IN_MEMORY = 'packages/domain/testing/in-memory';

/** Invitations and password-reset links: requirements 98 to 101, 112 and 113. */
export const LINK_MUTATIONS: readonly Mutation[] = [
  mutation([98], 'An invitation creates a user for each use.', [
    {
      file: `${ADAPTER}/invitation-repository.ts`,
      find: '        await deleteInvitation(tx, found.id);\n',
      replace: '',
    },
    {
      file: `${IN_MEMORY}/invitation-repository.ts`,
      find: '      state.invitations.delete(found.id);\n',
      replace: '',
    },
  ]),
  mutation([98], 'The event of an invitation has its code.', {
    file: `${DOMAIN}/manage-invitations.ts`,
    find: "const details = { ...asked, ...(delivery === 'mail' && MAILED) };",
    replace: "const details = { ...asked, code, ...(delivery === 'mail' && MAILED) };",
  }),
  mutation([98], 'An invitation is open at the moment of its expiry.', {
    file: `${ADAPTER}/invitation-records.ts`,
    find: ".where('invitations.expires_at', '>', moment(at))",
    replace: ".where('invitations.expires_at', '>=', moment(at))",
  }),
  mutation([98], 'A password-reset link does not expire.', {
    file: `${ADAPTER}/reset-link-records.ts`,
    find: "    .where('link.expires_at', '>', at)\n",
    replace: '',
  }),
  mutation([98], 'The page that shows what a code is for uses the code.', {
    file: `${DOMAIN}/accept-invitation.ts`,
    find: "return found ? ok(found) : err({ code: 'link_not_accepted' });",
    replace: `if (!found) return err({ code: 'link_not_accepted' });
      const { id, accountId } = found.invitation;
      const at = ports.clock.now();
      const event = { ...eventOf(at, 'invitation.revoked', { id, accountId }, {}), actor: { kind: 'operator' }, origin: 'x' };
      await ports.invitations.revoke(id, { at }, () => event as never);
      return ok(found);`,
  }),
  mutation([98], 'The code stays in the address.', {
    file: 'packages/pages/src/links/code-pages.ts',
    find: "scripts: ['link-code.js'],",
    replace: 'scripts: [],',
  }),
  mutation([98], 'A used reset link stays.', {
    file: 'packages/postgres/src/users/set-hash.ts',
    find: '  await endResetLinksFor(tx, id);\n',
    replace: '  void endResetLinksFor;\n',
  }),
  mutation([99], 'An invitation tells that another account has the address.', [
    {
      file: `${ADAPTER}/invitation-repository.ts`,
      find: "    .where(isStoredUnder(emailKeysOf(email)))\n    .where('account_id', '=', accountId);",
      replace: "    .where(isStoredUnder(emailKeysOf(email)))\n    .where('account_id', '>=', accountId);",
    },
    {
      file: `${IN_MEMORY}/invitation-repository.ts`,
      find: 'user.accountId === accountId && emailKey(user.email) === key',
      replace: 'emailKey(user.email) === key',
    },
  ]),
  mutation([99], 'A text that is no code is answered differently.', {
    file: `${DOMAIN}/redeeming.ts`,
    find: "if (code === undefined) return err({ code: 'link_not_accepted' });",
    replace: "if (code === undefined) return err({ code: 'invalid_input', problems: [] } as never);",
  }),
  mutation([100], 'An admin invites an admin.', {
    file: `${DOMAIN}/link-makers.ts`,
    find: "role === 'admin' || (accountId",
    replace: '(accountId',
  }),
  mutation([100], 'An admin resets the password of a former admin.', [
    {
      file: `${ADAPTER}/reset-link-repository.ts`,
      find: 'if (madeBy !== null && (await wasAdmin(tx, userId)))',
      replace: 'if (madeBy !== null && (await wasAdmin(tx, userId)) && false)',
    },
    {
      file: `${IN_MEMORY}/reset-link-repository.ts`,
      find: 'if (link.madeBy !== null && state.onceAdmins.has(user.id))',
      replace: 'if (link.madeBy !== null && state.onceAdmins.has(user.id) && user.id < 0)',
    },
  ]),
  mutation([100], 'A link for a member who was promoted works.', [
    {
      file: `${ADAPTER}/reset-link-records.ts`,
      find: '\n    .where(or(sql`link.made_by is null and not ${IS_REQUESTED}`, not(WAS_ADMIN)))',
      replace: '',
    },
    {
      file: `${ADAPTER}/end-links.ts`,
      find: "or([eb('user_id', '=', id), eb('made_by', '=', id)])",
      replace: "or([eb('made_by', '=', id)])",
    },
    {
      file: `${IN_MEMORY}/reset-link-repository.ts`,
      find: '(!state.onceAdmins.has(user.id) && state.isActiveAdmin(link.madeBy, user.accountId))',
      replace: 'state.isActiveAdmin(link.madeBy, user.accountId)',
    },
    {
      file: `${IN_MEMORY}/state.ts`,
      find: 'if (link.userId === userId || link.madeBy === userId)',
      replace: 'if (link.madeBy === userId)',
    },
  ]),
  mutation([101], 'The links of an admin outlive the rights.', [
    {
      file: `${ADAPTER}/end-links.ts`,
      find: "    .where('invited_by', '=', id)",
      replace: "    .where('invited_by', '=', id)\n    .where('id', 'is', null)",
    },
    {
      file: `${ADAPTER}/end-links.ts`,
      find: "or([eb('user_id', '=', id), eb('made_by', '=', id)])",
      replace: "or([eb('user_id', 'is', null)])",
    },
    {
      file: `${IN_MEMORY}/state.ts`,
      find: 'if (link.userId === userId || link.madeBy === userId)',
      replace: 'if (link.userId < 0)',
    },
    { file: `${IN_MEMORY}/state.ts`, find: '      this.invitations.delete(invitation.id);\n', replace: '' },
  ]),
  mutation([101], 'Members see invitations and make links.', [
    {
      file: 'packages/domain/src/access/rules.ts',
      find: "defineRule('users:invite', { users: 'admins'",
      replace: "defineRule('users:invite', { users: 'all'",
    },
    {
      file: 'packages/domain/src/access/rules.ts',
      find: "defineRule('users:reset-links', { users: 'admins'",
      replace: "defineRule('users:reset-links', { users: 'all'",
    },
  ]),
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
