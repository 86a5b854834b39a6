import type { Provider } from '@gatehouse/domain/identity-providers';
import { listed } from '../../elements/inline.ts';
import { warning } from '../../elements/notice.ts';
import { time } from '../../elements/time.ts';
import { type Html, html, type Shown } from '../../html.ts';
import { SIGN_IN_METHODS } from '../../paths.ts';
import type { PageRequest } from '../../session/page-request.ts';
import { isSelf, type ShownUser } from '../user-change.ts';

/** How a user signs in: with a password, with identity providers, or both. */
export function signInOf({ now }: PageRequest, shown: ShownUser, providers: readonly Provider[]): Shown {
  const { hasPassword, breakGlassAt, identities } = shown;
  const names = identities.map(({ issuer, confirmedAt }) => {
    const label = providers.find((each) => each.issuer === issuer)?.label;
    return html`${label ?? html`<code>${issuer}</code>`} (confirmed ${time(confirmedAt, now)})`;
  });
  const ways = [...(hasPassword ? ['Password'] : []), ...names];
  return html`${ways.length === 0 ? 'No way' : listed(ways)}${breakGlassAt === null ? null : ', kept for emergencies'}`;
}

/** Whether the API tokens of an active user are refused because no identity provider confirmed the user in time. */
export const isOverdue = ({ now }: PageRequest, { user }: ShownUser): boolean =>
  user.disabledAt === null && user.confirmedUntil !== null && user.confirmedUntil <= now;

/** Says that the API tokens of a user are refused because no identity provider confirmed the user; null if they are not. */
export function notConfirmed(request: PageRequest, shown: ShownUser): Html | null {
  const { user, identities } = shown;
  if (!isOverdue(request, shown)) return null;
  if (isSelf(request, user))
    return warning(
      html`<p><strong>Not confirmed.</strong> Your API tokens are refused: see <a href="${SIGN_IN_METHODS}">Sign-in</a>.</p>`,
    );
  const deed =
    identities.length === 0
      ? 'links an identity on the page Sign-in of the profile'
      : 'signs in with the identity provider again';
  return warning(
    html`<p><strong>Not confirmed.</strong> No identity provider confirmed the user in time, so the API tokens of the user are refused. They work again as soon as the user ${deed}.</p>`,
  );
}
