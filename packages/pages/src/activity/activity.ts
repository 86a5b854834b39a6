import { MAX_NAMED } from '@gatehouse/domain/audit';
import { leftOutNote } from '../address.ts';
import { buttonLink } from '../elements/inline.ts';
import { type Html, html } from '../html.ts';
import { ACTIVITY_EXPORT } from '../paths.ts';
import type { PagePorts } from '../ports.ts';
import type { SignedInPage } from '../session/signed-in.ts';
import { denied, view } from '../view.ts';
import { type Address, activityPath, filtersOf, readAddress } from './address.ts';
import { eventList, noEvents, PAGE_SIZE } from './event-list.ts';
import type { FormatName } from './export/formats.ts';
import { activityFilters } from './filters.ts';
import { type Selectable, selectableIn } from './selectable.ts';
import { subjectNote } from './subject.ts';

type Ports = Pick<PagePorts, 'catalog' | 'listAccountAuditEvents'>;

/**
 * `/settings/api/activity`: lists who changed tokens, users, organizations and everything else of the account, newest
 * first.
 */
export function activityPage({ catalog, listAccountAuditEvents }: Ports): SignedInPage {
  const selectable = selectableIn(catalog);
  return {
    async show({ query, caller, now }) {
      const address = readAddress(selectable, query);
      const { user, token, before } = address;
      const listed = await listAccountAuditEvents(caller, {
        ...filtersOf(selectable, address),
        before,
        limit: PAGE_SIZE + 1,
      });
      if (listed.ok) {
        const { value: entries = [] } = await listed.value.next();
        return activityView(selectable, address, eventList(catalog, address, entries, now), true);
      }
      const { error } = listed;
      switch (error.code) {
        case 'user_not_found':
          return activityView(
            selectable,
            address,
            noEvents(html`No user has “${user}” in the name or email.`),
          );
        case 'token_not_found':
          return activityView(selectable, address, noEvents(html`No token has “${token}” in its name.`));
        case 'too_many_named':
          return activityView(selectable, address, noEvents(tooMany(error.of, address)));
        default:
          return denied(error);
      }
    },
  };
}

const tooMany = (of: 'users' | 'tokens', { user, token }: Address) =>
  html`More than ${MAX_NAMED} ${of} have “${of === 'users' ? user : token}” in their names. Enter more of the name.`;

function activityView(selectable: Selectable, address: Address, shown: Html, hasExport = false) {
  return view({
    title: 'Activity',
    scripts: ['pasted-token.js'],
    ...(hasExport && {
      action: html`<div class="actions">${exportLink(address, 'csv')}${exportLink(address, 'json')}</div>`,
    }),
    content: html`<p class="lead">Changes in your account: who changed what, when and from where.</p>
${leftOutNote(address.leftOut)}
${address.subject && subjectNote(address.subject, activityPath({ ...address, subject: undefined }))}
${activityFilters(selectable, address)}
${shown}`,
  });
}

const exportLink = (address: Address, format: FormatName) =>
  buttonLink(activityPath(address, { format }, ACTIVITY_EXPORT), `Export ${format.toUpperCase()}`);
