import {
  ORGANIZATION_ORDERS,
  type OrganizationId,
  type OrganizationOrder,
  parseOrganizationId,
} from '@gatehouse/domain/organizations';
import { isSearchable, leftOutNote, parametersOf } from '../address.ts';
import { type ColumnOrders, columnSort } from '../elements/column-sort.ts';
import { showFields } from '../elements/form.ts';
import { button, buttonLink, countInWords, name } from '../elements/inline.ts';
import { emptyState, pager } from '../elements/part.ts';
import { searchForm } from '../elements/search-form.ts';
import { table } from '../elements/table.ts';
import { time } from '../elements/time.ts';
import { type Html, html } from '../html.ts';
import type { Found } from '../page-use-cases.ts';
import { NEW_ORGANIZATION, ORGANIZATIONS, organizationPath, withQuery } from '../paths.ts';
import type { PagePorts } from '../ports.ts';
import type { PageRequest } from '../session/page-request.ts';
import type { SignedInPage } from '../session/signed-in.ts';
import { denied, type View, view } from '../view.ts';

type Ports = Pick<PagePorts, 'listOwnOrganizations'>;

type Listed = Found<'listOwnOrganizations'>;

const FIELDS = {
  search: { label: 'Search', hint: 'Part of the name', type: 'search', maxLength: 200 },
} as const;

/** A row shows at most this many characters of a description. The page of the organization shows all of it. */
const MAX_DESCRIPTION = 100;

type Address = ReturnType<typeof readAddress>;

/** `/settings/organizations`: lists all organizations of the account to an admin, and to a member their own. */
export function organizationListPage({ listOwnOrganizations }: Ports): SignedInPage {
  return {
    async show(request) {
      const address = readAddress(request.query);
      const listed = await listOwnOrganizations(request.caller, address);
      return listed.ok ? listView(request, address, listed.value) : denied(listed.error);
    },
  };
}

function readAddress(query: URLSearchParams) {
  const { leftOut, read } = parametersOf(query);
  return {
    search: read('search', (text) => (isSearchable(text, FIELDS.search.maxLength) ? text : undefined)),
    order: read('order', (text) => ORGANIZATION_ORDERS.find((each) => each === text)) ?? USUAL_ORDER,
    after: read('after', parseOrganizationId),
    leftOut,
  };
}

const USUAL_ORDER: OrganizationOrder = 'oldest';

const ORDERS: ColumnOrders<OrganizationOrder> = {
  Created: [
    ['oldest', 'ascending'],
    ['newest', 'descending'],
  ],
};

function listPath({ search, order }: Pick<Address, 'search' | 'order'>, after?: OrganizationId): string {
  return withQuery(ORGANIZATIONS, {
    search,
    order: order === USUAL_ORDER ? undefined : order,
    after: after && String(after),
  });
}

function listView(request: PageRequest, address: Address, { organizations, next }: Listed): View {
  const { search, after, leftOut } = address;
  const isAdmin = request.user.role === 'admin';
  const isWhole = search === undefined && after === undefined;
  const shown =
    organizations.length === 0
      ? emptyList(address, isAdmin)
      : organizationRows(request, address, organizations);
  const isEmpty = isWhole && organizations.length === 0;
  return view({
    title: 'Organizations',
    scripts: ['pasted-token.js'],
    ...(isAdmin && { action: buttonLink(NEW_ORGANIZATION, 'Create organization', 'primary') }),
    content: html`<p class="lead">${isAdmin ? ABOUT_ADMINS : ABOUT_MEMBERS}</p>
${leftOutNote(leftOut)}
${isEmpty ? null : searchPart(address)}
${shown}
${pager({
  label: 'organizations',
  first: after === undefined ? undefined : listPath(address),
  next: next && listPath(address, next),
})}`,
  });
}

const ABOUT_ADMINS =
  'Admins can access every organization of the account. Members can access those that they belong to.';
const ABOUT_MEMBERS = 'The organizations that you belong to.';

function searchPart({ search = '', order }: Address): Html {
  const main = html`${showFields(FIELDS, { search })('search')}\n${button('Apply')}`;
  return searchForm({
    action: ORGANIZATIONS,
    hidden: order === USUAL_ORDER ? {} : { order },
    main,
    ...(search !== '' && { clear: ORGANIZATIONS }),
  });
}

function organizationRows(
  { now }: PageRequest,
  address: Address,
  organizations: Listed['organizations'],
): Html {
  return table({
    caption: 'Organizations',
    sort: columnSort({
      orders: ORDERS,
      now: address.order,
      usual: USUAL_ORDER,
      pathOf: (order) => listPath({ ...address, order }),
    }),
    rows: organizations,
    columns: {
      Name: ({ id, name: text, description }) =>
        html`<a href="${organizationPath(id)}">${name(text)}</a>${
          description === null ? null : html`<small>${shortened(description)}</small>`
        }`,
      Members: ({ members }) => countInWords(members),
      Created: ({ createdAt }) => time(createdAt, now),
    },
  });
}

function shortened(text: string): string {
  const [first = ''] = text.trim().split('\n');
  const letters = [...first];
  return letters.length > MAX_DESCRIPTION ? `${letters.slice(0, MAX_DESCRIPTION).join('')}…` : first;
}

function emptyList({ search, after }: Address, isAdmin: boolean): Html {
  const all = buttonLink(ORGANIZATIONS, 'Show all organizations');
  if (search !== undefined)
    return emptyState(
      'No organization matches',
      'Change the search, or clear it to see all organizations.',
      all,
    );
  if (after !== undefined) return emptyState('No more organizations', 'This is the end of the list.', all);
  if (!isAdmin)
    return emptyState('You do not belong to an organization', 'An admin of your account can add you to one.');
  return emptyState(
    'There are no organizations yet',
    'An organization is a part of your account, such as a team or a site. You decide who can access it.',
    buttonLink(NEW_ORGANIZATION, 'Create the first organization'),
  );
}
