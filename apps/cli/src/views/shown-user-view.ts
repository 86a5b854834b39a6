import type { Counted } from '@gatehouse/domain';
import type { SignInMeans } from '@gatehouse/domain/identity-providers';
import type { OrganizationId } from '@gatehouse/domain/organizations';
import type { Session } from '@gatehouse/domain/sessions';
import { formatInstantOrNull, type Instant } from '@gatehouse/domain/time';
import type { User } from '@gatehouse/domain/users';
import { type Column, shortTime } from '@gatehouse/extension-kit/cli';
import { printable } from '../output/printable.ts';
import { createTable } from '../output/table.ts';
import type { ItemView } from '../output/view.ts';
import { wrap } from '../output/wrap.ts';
import { documentOf } from './document.ts';
import { userView } from './user-view.ts';

interface ShownUser {
  readonly user: User;
  readonly lastSignInAt: Instant | null;
  readonly tokens: Counted;
  readonly organizations: readonly { readonly id: OrganizationId; readonly name: string }[];
  readonly moreOrganizations: boolean;
  readonly secondFactorAt: Instant | null;
  readonly sessions: readonly Session[];
  /** Null for a service account. */
  readonly means: SignInMeans | null;
}

/** Shows one user with the fields of the user's page. */
export const shownUserView: ItemView<ShownUser> = {
  document: ({ user, lastSignInAt, secondFactorAt, tokens, organizations, sessions, means }) => ({
    ...userView.document(user),
    last_sign_in_at: formatInstantOrNull(lastSignInAt),
    second_factor_enrolled_at: formatInstantOrNull(secondFactorAt),
    active_api_tokens: tokens.count,
    organizations: organizations.map((each) => documentOf(each, 'id', 'name')),
    sessions: sessions.map((each) =>
      documentOf(each, 'id', 'createdAt', 'lastSeenAt', 'origin', 'userAgent'),
    ),
    sign_in: means && {
      ...documentOf(means, 'hasPassword', 'emailProvedAt', 'breakGlassAt'),
      password_open_until: formatInstantOrNull(means.passwordOpenUntil),
      identities: means.identities.map((each) =>
        documentOf(each, 'issuer', 'subject', 'email', 'linkedAt', 'confirmedAt'),
      ),
    },
  }),
  columns: [
    ...userView.columns.map(({ title, value }) => ({ title, value: ({ user }: ShownUser) => value(user) })),
    { title: 'LAST SIGN-IN', value: ({ lastSignInAt }) => shortTime(lastSignInAt) },
    {
      title: 'SECOND FACTOR',
      value: ({ secondFactorAt }) =>
        secondFactorAt === null ? 'none' : `set up ${shortTime(secondFactorAt)}`,
    },
    { title: 'API TOKENS', value: ({ tokens }) => `${tokens.count}${tokens.more ? '+' : ''} active` },
    { title: 'SIGN-IN', value: ({ means }) => (means ? meansText(means) : '-') },
    { title: 'ORGANIZATIONS', value: organizationNames },
  ],
  below: ({ sessions }, table) =>
    sessions.length === 0
      ? `${wrap(printable('No browser is signed in as this user.'), table.width)}\n`
      : createTable(SESSIONS, table).rows(sessions),
};

function meansText({ identities, hasPassword, breakGlassAt, passwordOpenUntil }: SignInMeans): string {
  const parts = [
    ...(hasPassword ? ['password'] : []),
    ...identities.map(({ issuer, subject }) => `${subject} at ${issuer}`),
    ...(breakGlassAt === null ? [] : ['marked for emergencies']),
    ...(passwordOpenUntil === null ? [] : [`password opened until ${shortTime(passwordOpenUntil)}`]),
  ];
  return parts.join(', ') || '-';
}

function organizationNames({ organizations, moreOrganizations }: ShownUser): string {
  const names = organizations.map(({ id, name }) => `${name} (${id})`);
  if (names.length === 0) return '-';
  return moreOrganizations ? `${names.join(', ')}, and more` : names.join(', ');
}

const SESSIONS: readonly Column<Session>[] = [
  { title: 'SIGNED IN', value: ({ createdAt }) => shortTime(createdAt), essential: true },
  { title: 'LAST SEEN', value: ({ lastSeenAt }) => shortTime(lastSeenAt), essential: true },
  { title: 'FROM', value: ({ origin }) => origin, essential: true },
  { title: 'BROWSER', value: ({ userAgent }) => userAgent ?? '-', flexible: true },
];
