import type { Provider } from '@gatehouse/domain/identity-providers';
import { parseUserId } from '@gatehouse/domain/users';
import { activityOf } from '../activity/subject.ts';
import { buttonLink, countInWords, email, listed, name } from '../elements/inline.ts';
import { backTo, facts, section } from '../elements/part.ts';
import { time } from '../elements/time.ts';
import { type Html, html } from '../html.ts';
import {
  ACTIVITY,
  API_TOKENS,
  disableUserPath,
  enableUserPath,
  SESSIONS,
  serviceAccountPath,
  USERS,
  userPath,
  userRolePath,
  withQuery,
} from '../paths.ts';
import type { PagePorts } from '../ports.ts';
import type { PageRequest } from '../session/page-request.ts';
import type { SignedInPage } from '../session/signed-in.ts';
import { denied, errorPage, redirect, type View, view } from '../view.ts';
import { findUser, isSelf, type ShownUser } from './user-change.ts';
import { password } from './user-page/password.ts';
import { userSessions } from './user-page/sessions.ts';
import { isOverdue, notConfirmed, signInOf } from './user-page/sign-in.ts';
import { lastSignIn, ROLE_WORDS, userState } from './user-words.ts';

type Ports = Pick<PagePorts, 'endUserSessions' | 'listProviders' | 'showUser'>;

/** `/settings/users/{id}`: shows a user of the account to its admins, and ends the sessions of the user. */
export function userPage(ports: Ports): SignedInPage {
  return {
    async show(request) {
      const found = await findUser(ports, request);
      if (!found.ok) return found.error;
      const { user } = found.value;
      return user.kind === 'service'
        ? redirect(serviceAccountPath(user.id))
        : userView(request, found.value, ports.listProviders());
    },
    form: {
      fields: {},
      async submit({ caller, params }) {
        const id = parseUserId(params.id ?? '');
        if (id === undefined) return errorPage('not_found');
        const ended = await ports.endUserSessions(caller, { id });
        return ended.ok ? redirect(userPath(id), 'user_sessions_ended') : denied(ended.error);
      },
    },
  };
}

function userView(request: PageRequest, shown: ShownUser, providers: readonly Provider[]): View {
  const { user } = shown;
  const isDisabled = user.disabledAt !== null;
  const content = html`${notConfirmed(request, shown)}<div class="sheet">${details(request, shown, providers)}</div>
${isDisabled ? null : userSessions(request, shown)}
${isDisabled ? enabling(shown) : changes(request, shown)}`;
  return view({ title: user.name, above: backTo(USERS, 'Users'), content });
}

function details(request: PageRequest, shown: ShownUser, providers: readonly Provider[]): Html {
  const { now } = request;
  const { user, tokens, organizations, moreOrganizations } = shown;
  const activity = withQuery(ACTIVITY, { user: user.email });
  return facts([
    ['Email', email(user.email)],
    ['ID', html`<code>${user.id}</code>`],
    ['Role', html`${ROLE_WORDS[user.role]}${isSelf(request, user) ? ' (you)' : null}`],
    [
      'Status',
      html`${userState(user)}${user.disabledAt === null ? null : html` ${time(user.disabledAt, now)}`}`,
    ],
    ['Created', time(user.createdAt, now)],
    ['Last sign-in', lastSignIn(shown.lastSignInAt, now)],
    ['Sign-in', signInOf(request, shown, providers)],
    [
      'Second factor',
      shown.secondFactorAt === null ? 'None' : html`Set up ${time(shown.secondFactorAt, now)}`,
    ],
    [
      'API tokens',
      tokens.count === 0
        ? 'No active tokens'
        : isOverdue(request, shown)
          ? html`<a href="${withQuery(API_TOKENS, { section: 'ended', owner: user.email })}">${countInWords(tokens)} refused</a>`
          : html`<a href="${withQuery(API_TOKENS, { owner: user.email })}">${countInWords(tokens)} active</a>`,
    ],
    [
      'Organizations',
      user.role === 'admin'
        ? 'All: admins see every organization of the account'
        : organizations.length === 0
          ? 'None'
          : html`${listed(organizations.map((each) => name(each.name)))}${moreOrganizations ? ', and more' : null}`,
    ],
    [
      'Activity',
      html`<a href="${activity}">Changes by this user</a>, <a href="${activityOf('user', user.id)}">changes to this user</a>`,
    ],
  ]);
}

function changes(request: PageRequest, shown: ShownUser): Html {
  const { user } = shown;
  const other = user.role === 'admin' ? 'Make member' : 'Make admin';
  const own = isSelf(request, user)
    ? html`<p class="hint">This is you. Your own sessions are on the page <a href="${SESSIONS}">Sessions</a>.</p>`
    : null;
  return html`${section(
    'Role',
    html`<p>${
      user.role === 'admin'
        ? 'An admin manages the users, the organizations and the API tokens of the account.'
        : 'A member sees the organizations to which the member belongs.'
    }</p><p class="actions">${buttonLink(userRolePath(user.id), other)}</p>`,
  )}${password(request, shown)}${section(
    'Disable this user',
    html`<p>The user can no longer sign in. You choose what happens to the API tokens of the user, and to the service accounts for which the user answers.</p>${own}
<p class="actions">${buttonLink(disableUserPath(user.id), 'Disable user', 'danger')}</p>`,
    'danger',
  )}`;
}

function enabling({ user }: ShownUser): Html {
  return section(
    'Enable this user',
    html`<p>The user can sign in again. Tokens that were revoked stay revoked.</p>
<p class="actions">${buttonLink(enableUserPath(user.id), 'Enable user', 'primary')}</p>`,
  );
}
