import { attributes, type Html, html } from '../html.ts';
import { NOTIFICATIONS, PASSWORD, PROFILE, SECOND_FACTOR, SESSIONS, SIGN_IN_METHODS } from '../paths.ts';
import type { PageRequest } from '../session/page-request.ts';

const TABS = [
  [PROFILE, 'Profile'],
  [SESSIONS, 'Sessions'],
  [SIGN_IN_METHODS, 'Sign-in'],
  [PASSWORD, 'Password'],
  [SECOND_FACTOR, 'Second factor'],
  [NOTIFICATIONS, 'Notifications'],
] as const;

/** The links between the pages of a user's profile. The link to the current page is marked. */
export function profileTabs({ path }: Pick<PageRequest, 'path'>): Html {
  const links = TABS.map(
    ([href, label]) =>
      html`<a href="${href}"${attributes({ 'aria-current': href === path && 'page' })}>${label}</a>`,
  );
  return html`<nav class="tabs" aria-label="Profile">${links}</nav>`;
}
