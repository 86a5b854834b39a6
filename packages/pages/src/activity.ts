import type { AuditEventId, ToldEntry } from '@gatehouse/domain/audit';
import { BUILT_IN, type Catalog, createCatalog } from '@gatehouse/domain/resources';
import type { Instant } from '@gatehouse/domain/time';
import { EMAIL_MAX_LENGTH } from '@gatehouse/domain/users';
import { sentenceOf, withoutSuccessors } from './activity/words.ts';
import { isSearchable, leftOutNote, parametersOf } from './address.ts';
import { showFields } from './elements/form.ts';
import { button, buttonLink } from './elements/inline.ts';
import { emptyState, pager } from './elements/part.ts';
import { searchForm } from './elements/search-form.ts';
import { table } from './elements/table.ts';
import { time } from './elements/time.ts';
import { type Html, html } from './html.ts';
import { ACTIVITY, withQuery } from './paths.ts';
import type { PagePorts } from './ports.ts';
import type { SignedInPage } from './session/signed-in.ts';
import { denied, view } from './view.ts';

type Ports = Pick<PagePorts, 'catalog' | 'listAccountAuditEvents'>;

const PAGE_SIZE = 50;

const FIELDS = {
  by: { label: 'By', hint: 'The email of the user who made the change', type: 'search' },
  kind: { label: 'Changes to', type: 'select' },
} as const;

type Kinds = ReturnType<typeof kindsOfEvents>;

type Address = ReturnType<typeof readAddress>;

/**
 * `/settings/api/activity`: lists who changed tokens, users, sessions and resources of extensions in the account,
 * newest first.
 */
export function activityPage({ catalog, listAccountAuditEvents }: Ports): SignedInPage {
  const kinds = kindsOfEvents(catalog);
  return {
    async show({ query, caller, now }) {
      const address = readAddress(kinds, query);
      const { kind, by, before } = address;
      const listed = await listAccountAuditEvents(caller, {
        subjectTypes: kind === undefined ? [...kinds.keys()] : [kind],
        actor: by,
        before,
        limit: PAGE_SIZE + 1,
      });
      if (listed.ok) {
        const { value: entries = [] } = await listed.value.next();
        return activityView(kinds, address, shownOf(catalog, address, entries, now));
      }
      if (listed.error.code === 'user_not_found') {
        const text = html`No user of your account has the email ${by}.`;
        return activityView(kinds, address, emptyState('No events', text, clear()));
      }
      return denied(listed.error);
    },
  };
}

function readAddress(kinds: Kinds, query: URLSearchParams) {
  const { leftOut, read } = parametersOf(query);
  return {
    kind: read('kind', (text) => (kinds.has(text) ? text : undefined)),
    by: read('by', (text) => (isSearchable(text, EMAIL_MAX_LENGTH) ? text : undefined)),
    before: read('before', (text) =>
      /^[1-9]\d{0,14}$/.test(text) ? (Number(text) as AuditEventId) : undefined,
    ),
    leftOut,
  };
}

const activityPath = ({ kind, by }: Address, before?: AuditEventId) =>
  withQuery(ACTIVITY, { kind, by, before: before?.toString() });

function activityView(kinds: Kinds, address: Address, shown: Html) {
  const { kind = '', by = '' } = address;
  const field = showFields(FIELDS, { by, kind });
  const options = { '': 'Everything', ...Object.fromEntries(kinds) };
  const main = html`${field('by')}\n${field('kind', { options })}\n${button('Apply')}`;
  const isFiltered = kind !== '' || by !== '';
  return view({
    title: 'Activity',
    content: html`<p class="lead">Changes to the tokens, users and sessions of your account.</p>
${leftOutNote(address.leftOut)}
${searchForm({ action: ACTIVITY, main, ...(isFiltered && { clear: ACTIVITY }) })}
${shown}`,
  });
}

function shownOf(catalog: Catalog, address: Address, entries: readonly ToldEntry[], now: Instant): Html {
  const events = entries.slice(0, PAGE_SIZE);
  const last = events.at(-1);
  const isFirst = address.before === undefined;
  const newest = isFirst
    ? null
    : html`<p><a href="${activityPath(address)}">Back to the newest events</a></p>`;
  if (last === undefined) {
    if (isFirst) return emptyState('No events', 'No recorded event matches these filters.', clear());
    return html`${newest}${emptyState('No older events', 'This is the end of the list.')}`;
  }
  const next = entries.length > PAGE_SIZE ? activityPath(address, last.id) : undefined;
  return html`${newest}${table({
    caption: 'Events, newest first',
    list: 'events',
    rows: withoutSuccessors(events),
    columns: {
      Event: sentenceOf(catalog),
      When: ({ event }) => time(event.at, now),
      // The page shows an address only if a user acted. If a token acted by its first use, no address is recorded, and
      // the address of an operator is not shown.
      From: ({ event: { actor, origin } }) =>
        actor.kind !== 'user' || origin === null ? html`<small>–</small>` : html`<code>${origin}</code>`,
    },
  })}
${pager({ label: 'events', next })}`;
}

const clear = () => buttonLink(ACTIVITY, 'Show all events');

/** The built-in types of resources whose changes the page shows, with their labels in the filter. */
const KINDS = { token: 'Tokens', user: 'Users', session: 'Sessions' };

const typesIn = ({ actions }: Catalog) => actions.map((action) => action.split('.')[0] ?? '');

/**
 * Returns the labels of all types of resources in the filter: of the built-in types and of the types that extensions
 * add.
 */
function kindsOfEvents(catalog: Catalog): ReadonlyMap<string, string> {
  const builtIn = typesIn(createCatalog(BUILT_IN));
  const ofExtensions = typesIn(catalog).filter((type) => !builtIn.includes(type));
  return new Map([...Object.entries(KINDS), ...ofExtensions.map((type) => [type, sentence(type)] as const)]);
}

/** Returns the label of an extension's type, such as `Shift note` for `shift_note`. */
function sentence(type: string): string {
  const words = type.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
