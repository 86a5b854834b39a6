import { formatUserCursor } from '@gatehouse/domain/users';
import { leftOutNote } from '../address.ts';
import { showFields } from '../elements/form.ts';
import { button, buttonLink, countInWords, email, name } from '../elements/inline.ts';
import { emptyState, pager } from '../elements/part.ts';
import { searchForm } from '../elements/search-form.ts';
import { table } from '../elements/table.ts';
import { time } from '../elements/time.ts';
import { type Html, html } from '../html.ts';
import type { Found } from '../page-use-cases.ts';
import { INVITATIONS, NEW_INVITATION, USERS } from '../paths.ts';
import type { PagePorts } from '../ports.ts';
import type { PageRequest } from '../session/page-request.ts';
import type { SignedInPage } from '../session/signed-in.ts';
import { denied, type View, view } from '../view.ts';
import { listPath, MAX_SEARCH_LENGTH, readAddress, type UserListAddress } from './user-list/address.ts';
import { sortOf } from './user-list/sort.ts';
import { lastSignIn, ROLE_WORDS, userState } from './user-words.ts';

type Listed = Found<'listAccountUsers'>;

const FIELDS = {
  search: { label: 'Search', hint: 'Name or email', type: 'search', maxLength: MAX_SEARCH_LENGTH },
  order: { label: 'Order', type: 'select', options: { name: 'Name', newest: 'Newest first' } },
  role: { label: 'Role', type: 'select', options: { '': 'Any role', admin: 'Admins', member: 'Members' } },
  status: {
    label: 'Status',
    type: 'select',
    options: { '': 'Any status', active: 'Active', disabled: 'Disabled' },
  },
} as const;

/** `/settings/users`: lists the users of the account for its admins. */
export function userListPage({ listAccountUsers }: Pick<PagePorts, 'listAccountUsers'>): SignedInPage {
  return {
    async show(request) {
      const address = readAddress(request.query);
      const listed = await listAccountUsers(request.caller, { ...address.input, kind: 'person' });
      return listed.ok ? listView(request, address, listed.value) : denied(listed.error);
    },
  };
}

function listView({ now }: PageRequest, address: UserListAddress, page: Listed): View {
  const { users, total, next, previous } = page;
  const { values, leftOut } = address;
  const rows = table({
    caption: 'Users',
    rows: users,
    sort: sortOf(address),
    columns: {
      Name: ({ user }) =>
        html`<a href="users/${user.id}">${name(user.name)}</a><small>${email(user.email)}</small>`,
      Role: ({ user }) => ROLE_WORDS[user.role],
      Status: ({ user }) => userState(user),
      'Last sign-in': ({ lastSignInAt }) => lastSignIn(lastSignInAt, now),
      'Active API tokens': ({ tokens }) => countInWords(tokens),
      Created: ({ user }) => time(user.createdAt, now),
    },
  });
  const found =
    users.length === 0
      ? emptyState(
          'No user matches',
          'Change the search and the filters, or clear them to see all users.',
          buttonLink(USERS, 'Clear search and filters'),
        )
      : html`<p>${total.count === 1 ? '1 user' : `${countInWords(total)} users`}</p>${rows}`;
  const content = html`${leftOutNote(leftOut)}<p class="lead">The users of your account, who sign in with their email and a password.</p>
${filters(address)}
${found}
${pager({
  label: 'users',
  previous: previous && listPath(values, { before: formatUserCursor(previous.before) }),
  next: next && listPath(values, { after: formatUserCursor(next.after) }),
})}`;
  const action = html`<p class="actions">${buttonLink(INVITATIONS, 'Invitations')}${buttonLink(NEW_INVITATION, 'Invite user', 'primary')}</p>`;
  return view({ title: 'Users', action, content, scripts: ['pasted-token.js'] });
}

function filters({ values, isWhole }: UserListAddress): Html {
  const field = showFields(FIELDS, { search: '', order: 'name', role: '', status: '', ...values });
  return searchForm({
    action: USERS,
    main: html`${field('search')}\n${field('order')}\n${button('Apply')}`,
    filters: html`${field('role')}\n${field('status')}`,
    count: [values.role, values.status].filter((value) => value !== undefined).length,
    ...(isWhole ? {} : { clear: USERS }),
  });
}
