import { type Invitation, parseInvitationId } from '@gatehouse/domain/links';
import { form } from '../elements/form.ts';
import { button, buttonLink, email, name } from '../elements/inline.ts';
import { backTo, emptyState } from '../elements/part.ts';
import { table } from '../elements/table.ts';
import { time } from '../elements/time.ts';
import { html } from '../html.ts';
import type { PageUseCases } from '../page-use-cases.ts';
import { INVITATIONS, NEW_INVITATION, USERS } from '../paths.ts';
import type { PageRequest } from '../session/page-request.ts';
import type { SignedInPage } from '../session/signed-in.ts';
import { denied, errorPage, redirect, type View, view } from '../view.ts';

/** `/settings/users/invitations`: lists the open invitations of the account, and revokes them. */
export function invitationsPage(
  ports: Pick<PageUseCases, 'listInvitations' | 'revokeInvitation'>,
): SignedInPage {
  return {
    async show(request) {
      const listed = await ports.listInvitations(request.caller, {});
      if (!listed.ok) return denied(listed.error);
      // The limit of open invitations keeps the list short.
      for await (const invitations of listed.value) return invitationsView(request, invitations);
      return invitationsView(request, []);
    },
    form: {
      fields: {},
      async submit({ caller }, _, target) {
        const id = parseInvitationId(target);
        if (id === undefined) return errorPage('malformed_body');
        const revoked = await ports.revokeInvitation(caller, id);
        if (revoked.ok) return redirect(INVITATIONS, 'invitation_revoked');
        const { error } = revoked;
        switch (error.code) {
          case 'invitation_not_found':
            return redirect(INVITATIONS, 'invitation_not_found');
          case 'invitation_of_operator':
            return errorPage('not_allowed');
          default:
            return denied(error);
        }
      },
    },
  };
}

function invitationsView(request: PageRequest, invitations: readonly Invitation[]): View {
  const { now } = request;
  const revoking = ({ id, invitedBy }: Invitation) =>
    invitedBy === null
      ? 'Only an operator can revoke it'
      : form(request, { action: INVITATIONS, target: id, content: button('Revoke'), layout: 'inline' });
  const invite = buttonLink(NEW_INVITATION, 'Invite user', 'primary');
  const content =
    invitations.length === 0
      ? emptyState('No open invitations', 'An invitation lets a person set a password and join your account.')
      : table({
          caption: 'Open invitations',
          columns: {
            Email: (each) => email(each.email),
            Role: ({ role }) => (role === 'admin' ? 'Admin' : 'Member'),
            'Invited by': ({ invitedBy }) => (invitedBy ? name(invitedBy.name) : 'An operator'),
            Created: ({ createdAt }) => time(createdAt, now),
            Expires: ({ expiresAt }) => time(expiresAt, now),
            Action: revoking,
          },
          hiddenLabel: 'Action',
          rows: invitations,
        });
  return view({
    title: 'Invitations',
    above: backTo(USERS, 'Users'),
    action: invite,
    width: 'wide',
    content: html`${content}`,
  });
}
