import { isAnswered, parseUserId } from '@gatehouse/domain/users';
import { leftOutNote, parametersOf } from '../address.ts';
import { buttonLink, email, name, state } from '../elements/inline.ts';
import { warning } from '../elements/notice.ts';
import { emptyState, pager } from '../elements/part.ts';
import { table } from '../elements/table.ts';
import { time } from '../elements/time.ts';
import { type Html, html } from '../html.ts';
import type { Found } from '../page-use-cases.ts';
import { NEW_SERVICE_ACCOUNT, SERVICE_ACCOUNTS, withQuery } from '../paths.ts';
import type { PagePorts } from '../ports.ts';
import type { PageRequest } from '../session/page-request.ts';
import type { SignedInPage } from '../session/signed-in.ts';
import { ROLE_WORDS, userState } from '../users/user-words.ts';
import { denied, type View, view } from '../view.ts';

type Listed = Found<'listOwnServiceAccounts'>;

/** The value of the parameter `responsible` that selects active service accounts without a responsible admin. */
const NONE = 'none';

/** `/settings/service-accounts`: lists the service accounts of the account for its admins. */
export function serviceAccountListPage({
  listOwnServiceAccounts,
}: Pick<PagePorts, 'listOwnServiceAccounts'>): SignedInPage {
  return {
    async show(request) {
      const { leftOut, read } = parametersOf(request.query);
      const responsible = read('responsible', (text) => (text === NONE ? text : undefined));
      const after = read('after', parseUserId);
      const isUnanswered = responsible === undefined ? undefined : true;
      const listed = await listOwnServiceAccounts(request.caller, { after, isUnanswered });
      return listed.ok
        ? listView(request, listed.value, { isFirst: after === undefined, isUnanswered, leftOut })
        : denied(listed.error);
    },
  };
}

interface Address {
  readonly isFirst: boolean;
  readonly isUnanswered: true | undefined;
  readonly leftOut: readonly string[];
}

const pathOf = ({ isUnanswered }: Pick<Address, 'isUnanswered'>, after?: string) =>
  withQuery(SERVICE_ACCOUNTS, { responsible: isUnanswered && NONE, after });

function listView(request: PageRequest, { serviceAccounts, next }: Listed, address: Address): View {
  const { isFirst, isUnanswered, leftOut } = address;
  const content = html`${leftOutNote(leftOut)}<p class="lead">A service account is a program of your account. It has API tokens and no password, so its tokens keep working when a person leaves.</p>
${isUnanswered ? html`<p>Only active service accounts without a responsible admin. <a href="${SERVICE_ACCOUNTS}">Show all</a></p>` : unanswered(serviceAccounts)}
${serviceAccounts.length === 0 ? none(address) : rows(request, serviceAccounts)}
${pager({
  label: 'service accounts',
  first: isFirst ? undefined : pathOf(address),
  next: next === undefined ? undefined : pathOf(address, String(next)),
})}`;
  const action = buttonLink(NEW_SERVICE_ACCOUNT, 'Create service account', 'primary');
  return view({ title: 'Service accounts', action, content, scripts: ['pasted-token.js'] });
}

/** Says that service accounts of the list have no responsible admin; null if all have one. */
function unanswered(listed: Listed['serviceAccounts']): Html | null {
  const found = listed.some((each) => each.user.disabledAt === null && !isAnswered(each));
  return found
    ? warning(
        html`<p><strong>Some service accounts have no responsible admin.</strong> <a href="${pathOf({ isUnanswered: true })}">Show them</a></p>`,
      )
    : null;
}

function rows({ now }: PageRequest, listed: Listed['serviceAccounts']): Html {
  return table({
    caption: 'Service accounts',
    rows: listed,
    columns: {
      Name: ({ user }) => html`<a href="service-accounts/${user.id}">${name(user.name)}</a>`,
      Role: ({ user }) => ROLE_WORDS[user.role],
      Status: ({ user }) => userState(user),
      'Responsible admin': (each) =>
        isAnswered(each)
          ? html`${name(each.responsible.name)}<small>${email(each.responsible.email)}</small>`
          : html`${state('warning', 'None')}<small>${email(each.responsible.email)} is no active admin</small>`,
      Created: ({ user }) => time(user.createdAt, now),
    },
  });
}

function none({ isUnanswered, isFirst }: Address): Html {
  if (isUnanswered)
    return emptyState(
      'Every service account has a responsible admin',
      'You need to do nothing.',
      buttonLink(SERVICE_ACCOUNTS, 'Show all service accounts'),
    );
  if (!isFirst)
    return emptyState(
      'No more service accounts',
      'This is the end of the list.',
      buttonLink(SERVICE_ACCOUNTS, 'Show all service accounts'),
    );
  return emptyState(
    'There are no service accounts yet',
    'Create one for each program that uses the API, and give it the tokens that people created for the program.',
    buttonLink(NEW_SERVICE_ACCOUNT, 'Create the first service account'),
  );
}
