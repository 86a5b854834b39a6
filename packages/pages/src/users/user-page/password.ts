import { buttonLink } from '../../elements/inline.ts';
import { section } from '../../elements/part.ts';
import { shellWord } from '../../elements/shell-word.ts';
import { type Html, html } from '../../html.ts';
import { PASSWORD, resetLinkPath } from '../../paths.ts';
import type { PageRequest } from '../../session/page-request.ts';
import { isSelf, type ShownUser } from '../user-change.ts';

/** The part of a user's page that says how the user gets a new password. */
export function password(request: PageRequest, { user }: ShownUser): Html {
  if (isSelf(request, user))
    return section(
      'Password',
      html`<p>You change your own password on the page <a href="${PASSWORD}">Password</a>.</p>`,
    );
  if (user.role === 'admin') return section('Password', resetByOperator(user));
  return section(
    'Password',
    html`<p>A user who forgot the password sets a new one with a link that you send.</p>
<p class="actions">${buttonLink(resetLinkPath(user.id), 'Create password reset link')}</p>`,
  );
}

/** Says who resets the password of a user who is or was an admin. */
export const resetByOperator = ({ email, role }: ShownUser['user']): Html =>
  html`<p>Only an operator can reset the password of ${role === 'admin' ? 'an admin' : 'a former admin'}: <code>${resetCommand(email)}</code></p>`;

/**
 * The command for the operator. Admins choose addresses, such as `$(date)@acme.example`, and the shell of the operator
 * must not run a part of one.
 */
function resetCommand(email: string): string {
  const operand = email.startsWith('-') ? `-- ${shellWord(email)}` : shellWord(email);
  return `gatehouse user reset-link ${operand}`;
}
