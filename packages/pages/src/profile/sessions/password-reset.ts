import { name } from '../../elements/inline.ts';
import { warning } from '../../elements/notice.ts';
import { time } from '../../elements/time.ts';
import { type Html, html } from '../../html.ts';
import type { Found } from '../../page-use-cases.ts';
import type { PageRequest } from '../../session/page-request.ts';

/** How long the page tells of a reset, in milliseconds: 30 days. */
const TOLD_MS = 30 * 86_400_000;

/** Tells the user that the password was reset by a link, so that a reset that the user did not ask for is noticed. */
export function passwordReset(
  { now, user }: Pick<PageRequest, 'now' | 'user'>,
  reset: Found<'findLastPasswordReset'>,
): Html | null {
  if (!reset || now - reset.at > TOLD_MS) return null;
  // A row of an earlier version has the name of the admin, which must not read as the words for an operator.
  const maker =
    reset.madeBy === user.email
      ? html`someone asked for on the page for forgotten passwords and that was mailed to you`
      : html`${reset.madeBy === null ? 'an operator' : html`the admin ${name(reset.madeBy)}`} created`;
  return warning(
    html`<p>Your password was reset ${time(reset.at, now)} with a link that ${maker}. If you did not use the link yourself, tell an operator of Gatehouse.</p>`,
  );
}
