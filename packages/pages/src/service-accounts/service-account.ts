import { isAnswered, type ServiceAccount } from '@gatehouse/domain/users';
import { buttonLink, countInWords, email, lines, listed, name } from '../elements/inline.ts';
import { warning } from '../elements/notice.ts';
import { backTo, facts, section } from '../elements/part.ts';
import { time } from '../elements/time.ts';
import { type Html, html } from '../html.ts';
import type { Found } from '../page-use-cases.ts';
import {
  API_TOKENS,
  disableUserPath,
  editServiceAccountPath,
  enableUserPath,
  NEW_TOKEN,
  ORGANIZATIONS,
  SERVICE_ACCOUNTS,
  userRolePath,
  withQuery,
} from '../paths.ts';
import type { PagePorts } from '../ports.ts';
import type { PageRequest } from '../session/page-request.ts';
import type { SignedInPage } from '../session/signed-in.ts';
import { ROLE_WORDS, userState } from '../users/user-words.ts';
import { denied, type View, view } from '../view.ts';
import { findServiceAccount } from './find-service-account.ts';

type Ports = Pick<PagePorts, 'showServiceAccount' | 'showUser'>;

/** `/settings/service-accounts/{id}`: shows a service account to the admins of its account. */
export function serviceAccountPage(ports: Ports): SignedInPage {
  return {
    async show(request) {
      const found = await findServiceAccount(ports, request);
      if (!found.ok) return found.error;
      const shown = await ports.showUser(request.caller, { id: found.value.user.id });
      return shown.ok ? accountView(request, found.value, shown.value) : denied(shown.error);
    },
  };
}

function accountView(request: PageRequest, account: ServiceAccount, shown: Found<'showUser'>): View {
  const { user } = account;
  const isDisabled = user.disabledAt !== null;
  const content = html`${isDisabled || isAnswered(account) ? null : unanswered(account)}
<div class="sheet">${details(request, account, shown)}</div>
${isDisabled ? enabling(account) : changes(account)}`;
  return view({
    title: user.name,
    above: backTo(SERVICE_ACCOUNTS, 'Service accounts'),
    action: buttonLink(editServiceAccountPath(user.id), 'Edit'),
    content,
  });
}

const unanswered = ({ user, responsible }: ServiceAccount) =>
  warning(
    html`<p><strong>No active admin is responsible for this service account.</strong> ${name(responsible.name)} (${responsible.email}) is no longer an active admin. <a href="${editServiceAccountPath(user.id)}">Choose another admin</a></p>`,
  );

function details({ now }: PageRequest, account: ServiceAccount, shown: Found<'showUser'>): Html {
  const { user, description, responsible, createdBy } = account;
  const { tokens, organizations, moreOrganizations } = shown;
  return facts([
    ['Description', description === null ? null : lines(description)],
    ['Responsible admin', html`${name(responsible.name)} (${email(responsible.email)})`],
    ['ID', html`<code>${user.id}</code>`],
    ['Role', ROLE_WORDS[user.role]],
    [
      'Status',
      html`${userState(user)}${user.disabledAt === null ? null : html` ${time(user.disabledAt, now)}`}`,
    ],
    [
      'Created',
      html`${time(user.createdAt, now)} by ${name(createdBy.name)}${createdBy.email === null ? ' (operator)' : html` (${email(createdBy.email)})`}`,
    ],
    [
      'API tokens',
      tokens.count === 0
        ? 'No active tokens'
        : html`<a href="${withQuery(API_TOKENS, { owner: user.email })}">${countInWords(tokens)} active</a>`,
    ],
    [
      'Organizations',
      user.role === 'admin'
        ? 'All: the role admin includes every organization of the account'
        : organizations.length === 0
          ? 'None'
          : html`${listed(organizations.map((each) => name(each.name)))}${moreOrganizations ? ', and more' : null}`,
    ],
  ]);
}

function changes({ user }: ServiceAccount): Html {
  const other = user.role === 'admin' ? 'Make member' : 'Make admin';
  return html`${section(
    'API tokens',
    html`<p>A token that you create for the service account acts as the service account. You can also give it a token that a person has, on the page of the token or when that person is disabled.</p>
<p class="actions">${buttonLink(withQuery(NEW_TOKEN, { owner: String(user.id) }), 'New token', 'primary')}</p>`,
  )}${section(
    'Role',
    html`<p>${
      user.role === 'admin'
        ? 'Its tokens read every organization of the account, as far as their scopes allow.'
        : html`Its tokens read the organizations to which the service account belongs. On the page of an <a href="${ORGANIZATIONS}">organization</a>, add it as the member <code>${user.email}</code>.`
    }</p><p class="actions">${buttonLink(userRolePath(user.id), other)}</p>`,
  )}${section(
    'Disable this service account',
    html`<p>Its tokens stop working. You choose whether another owner gets them.</p>
<p class="actions">${buttonLink(disableUserPath(user.id), 'Disable service account', 'danger')}</p>`,
    'danger',
  )}`;
}

function enabling({ user }: ServiceAccount): Html {
  return section(
    'Enable this service account',
    html`<p>It can have tokens again. Tokens that were revoked stay revoked.</p>
<p class="actions">${buttonLink(enableUserPath(user.id), 'Enable service account', 'primary')}</p>`,
  );
}
