import { attributes, type Html, html } from '../html.ts';
import {
  ACCOUNT,
  ACTIVITY,
  API_TOKENS,
  ORGANIZATIONS,
  PASSWORD,
  PROFILE,
  RECOVERY_CODES,
  REMOVE_SECOND_FACTOR,
  SECOND_FACTOR,
  SERVICE_ACCOUNTS,
  SESSIONS,
  SIGN_IN_METHODS,
  USERS,
  WEBHOOKS,
} from '../paths.ts';
import type { PageRequest } from '../session/page-request.ts';

interface Area {
  readonly path: string;
  readonly label: string;
  /** A sentence for the page that lists the areas. */
  readonly about: string;
  /** Paths of further pages of the area, which do not begin with `path`. */
  readonly others?: readonly string[];
  /** Only admins see the area. */
  readonly isForAdmins?: boolean;
}

/** The areas of the settings, in the order of the navigation. */
const AREAS: readonly Area[] = [
  { path: API_TOKENS, label: 'API tokens', about: 'Tokens with which programs use the API.' },
  {
    path: USERS,
    label: 'Users',
    about: 'The admins and members of the account.',
    isForAdmins: true,
  },
  {
    path: SERVICE_ACCOUNTS,
    label: 'Service accounts',
    about: 'Programs of the account, which have tokens and no password.',
    isForAdmins: true,
  },
  {
    path: ORGANIZATIONS,
    label: 'Organizations',
    about: 'Parts of the account, such as teams and sites, and who can access them.',
  },
  {
    path: ACTIVITY,
    label: 'Activity',
    about: 'Who changed what in the account, and when.',
    isForAdmins: true,
  },
  {
    path: WEBHOOKS,
    label: 'Webhooks',
    about: 'Programs to which Gatehouse sends what happens in the account.',
    isForAdmins: true,
  },
  { path: ACCOUNT, label: 'Account', about: 'The name and the admins of the account.' },
  {
    path: PROFILE,
    label: 'Profile',
    about: 'Your name, your password, and the browsers in which you are signed in.',
    others: [SESSIONS, PASSWORD, SIGN_IN_METHODS, SECOND_FACTOR, RECOVERY_CODES, REMOVE_SECOND_FACTOR],
  },
];

/** Returns the areas that a user sees. */
export const areasFor = ({ role }: PageRequest['user']): readonly Area[] =>
  AREAS.filter(({ isForAdmins }) => !isForAdmins || role === 'admin');

/** Renders the navigation between the areas. The area of the current page is marked. */
export function navigation({ user, path }: PageRequest): Html {
  const shown = areasFor(user);
  // The current area is the one with the longest path that the path of the request begins with. The page of a token
  // therefore belongs to `API tokens`.
  const current = shown
    .filter((area) => path === area.path || path.startsWith(`${area.path}/`) || area.others?.includes(path))
    .reduce((best, area) => (area.path.length > best.length ? area.path : best), '');
  const items = shown.map((area) => {
    const state = attributes({
      'aria-current': area.path === current && (area.path === path ? 'page' : 'true'),
    });
    return html`<li><a href="${area.path}"${state}>${area.label}</a></li>`;
  });
  return html`<nav class="places" aria-label="Settings"><ul class="wide">${items}</ul></nav>`;
}
