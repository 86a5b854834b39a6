import { defineChange, defineList } from '../described/kinds.ts';
import { INVITATION_ID } from '../input/parsers.ts';
import { invitationView } from '../views/invitation-view.ts';
import { ofAccount } from './shared-options.ts';

const invitationList = defineList({
  verb: 'list',
  summary: 'List the open invitations of one account, or of all',
  options: {
    account: ofAccount('invitations'),
  },
  examples: ['gatehouse invitation list --account 1'],
  view: invitationView,
  run: ({ listInvitations }, caller, { account: accountId }) => listInvitations(caller, { accountId }),
});

const invitationRevoke = defineChange({
  verb: 'revoke',
  summary: 'Permanently revoke an open invitation',
  arguments: { invitation: { ...INVITATION_ID, description: "The invitation's id" } },
  examples: ['gatehouse invitation revoke 019a0000-0000-7000-8000-000000000000'],
  run: ({ revokeInvitation }, caller, { invitation }) => revokeInvitation(caller, invitation),
  note: ({ id, email }) => `Revoked the invitation ${id} of ${email}.`,
  document: (invitation) => invitationView.document(invitation),
});

export const commands = [invitationList, invitationRevoke];
