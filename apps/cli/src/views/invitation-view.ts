import type { Invitation } from '@gatehouse/domain/links';
import { CREATED, shortTime, type View } from '@gatehouse/extension-kit/cli';
import { documentOf } from './document.ts';

export const invitationView: View<Invitation> = {
  document: (invitation) => ({
    ...documentOf(invitation, 'id', 'accountId', 'email', 'name', 'role', 'createdAt', 'expiresAt'),
    invited_by: invitation.invitedBy?.email ?? null,
  }),
  empty: 'There are no open invitations. Create one with `gatehouse user invite`.',
  columns: [
    { title: 'ID', value: ({ id }) => id, essential: true },
    { title: 'EMAIL', value: ({ email }) => email, essential: true, flexible: true },
    { title: 'ROLE', value: ({ role }) => role, essential: true },
    { title: 'INVITED BY', value: ({ invitedBy }) => invitedBy?.email ?? 'operator', flexible: true },
    { title: 'EXPIRES', value: ({ expiresAt }) => shortTime(expiresAt) },
    { title: 'ACCOUNT', value: ({ accountId }) => String(accountId) },
    CREATED,
  ],
};
