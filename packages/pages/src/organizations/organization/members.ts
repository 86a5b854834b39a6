import type { OrganizationId, OrganizationMember } from '@gatehouse/domain/organizations';
import { parseUserId, type UserId } from '@gatehouse/domain/users';
import { type FieldErrors, form, showFields } from '../../elements/form.ts';
import { button, email, name, state } from '../../elements/inline.ts';
import { emptyState, pager, section } from '../../elements/part.ts';
import { table } from '../../elements/table.ts';
import { time } from '../../elements/time.ts';
import { type Html, html } from '../../html.ts';
import type { Found } from '../../page-use-cases.ts';
import { organizationPath, withQuery } from '../../paths.ts';
import type { PageRequest } from '../../session/page-request.ts';
import { CHANGE_FIELDS, type Changes } from './change-fields.ts';

interface MembersParts {
  readonly typed: Changes;
  readonly errors: FieldErrors;
  /** Whether the page shows the first members. */
  readonly isFirst: boolean;
}

/** Lists the members with their rights. Admins can remove each of them, and add users of the account. */
export function membersPart(
  request: PageRequest,
  { organization: { id }, total, members, next }: Found<'showOrganization'>,
  { typed, errors, isFirst }: MembersParts,
): Html {
  const isAdmin = request.user.role === 'admin';
  const path = organizationPath(id);
  return section(
    'Members',
    html`<p>${inWords(total)} Admins of the account can access the organization without being members.</p>
${
  members.length === 0
    ? emptyState(
        isFirst ? 'No members' : 'No more members',
        isFirst ? NO_MEMBERS : 'This is the end of the list.',
      )
    : memberRows(request, id, members)
}
${pager({ label: 'members', first: isFirst ? undefined : path, next: next && withQuery(path, { after: String(next) }) })}
${isAdmin && addForm(request, id, typed, errors)}`,
  );
}

const NO_MEMBERS = 'Only the admins of the account can access this organization.';

const inWords = (total: number) =>
  total === 1 ? '1 member.' : `${new Intl.NumberFormat('en').format(total)} members.`;

function memberRows(request: PageRequest, id: OrganizationId, members: readonly OrganizationMember[]): Html {
  const isAdmin = request.user.role === 'admin';
  return table({
    caption: 'Members',
    rows: members,
    hiddenLabel: 'Action',
    columns: {
      Name: ({ user }) => html`${name(user.name)}<small>${email(user.email)}</small>`,
      Role: ({ user }) =>
        html`${user.role === 'admin' ? 'Admin of the account' : 'Member'}${
          user.disabledAt !== null && html` ${state('neutral', 'Disabled')}`
        }`,
      Added: ({ addedAt }) => time(addedAt, request.now),
      ...(isAdmin && {
        Action: ({ user }: OrganizationMember) =>
          form(request, {
            action: organizationPath(id),
            target: `remove-${user.id}`,
            layout: 'inline',
            content: html`<button type="submit" class="button button-plain">Remove<span class="visually-hidden"> ${name(user.name)}</span></button>`,
          }),
      }),
    },
  });
}

/** Returns the member whom the form with this target removes; undefined for another form. */
export function removedBy(target: string): UserId | undefined {
  const [, id] = /^remove-(\d+)$/.exec(target) ?? [];
  return id === undefined ? undefined : parseUserId(id);
}

function addForm(request: PageRequest, id: OrganizationId, typed: Changes, errors: FieldErrors): Html {
  const field = showFields(CHANGE_FIELDS, { email: typed.email }, errors);
  return html`<h3>Add a member</h3>
${form(request, {
  action: organizationPath(id),
  target: 'add',
  content: html`${field('email', { hint: 'The address of a user of your account' })}\n${button('Add member')}`,
})}`;
}
