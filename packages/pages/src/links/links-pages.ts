import { INVITATION, INVITATIONS, NEW_INVITATION, PASSWORD_RESET, USERS } from '../paths.ts';
import type { PagePorts } from '../ports.ts';
import type { FindSignedIn } from '../session/open-page.ts';
import type { PageTable, SignedIn } from '../session/signed-in.ts';
import { invitationEndpoint } from './accept-invitation.ts';
import { invitationsPage } from './invitations.ts';
import { newInvitationPage } from './new-invitation.ts';
import { newResetLinkPage } from './new-reset-link.ts';
import { passwordResetEndpoint } from './password-reset.ts';

/** The pages of invitations and of password-reset links, by their paths. */
export const linkPages = (ports: PagePorts, signedIn: SignedIn, findSignedIn: FindSignedIn): PageTable => ({
  [INVITATIONS]: signedIn(invitationsPage(ports)),
  [NEW_INVITATION]: signedIn(newInvitationPage(ports)),
  [`${USERS}/:id/reset-link`]: signedIn(newResetLinkPage(ports)),
  [INVITATION]: invitationEndpoint({ ...ports, findSignedIn }),
  [PASSWORD_RESET]: passwordResetEndpoint({ ...ports, findSignedIn }),
});
