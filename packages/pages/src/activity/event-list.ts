import type { ToldEntry } from '@gatehouse/domain/audit';
import type { Catalog } from '@gatehouse/domain/resources';
import type { Instant } from '@gatehouse/domain/time';
import { buttonLink } from '../elements/inline.ts';
import { emptyState, pager } from '../elements/part.ts';
import { table } from '../elements/table.ts';
import { exactTime } from '../elements/time.ts';
import { type Html, html } from '../html.ts';
import { ACTIVITY } from '../paths.ts';
import { type Address, activityPath } from './address.ts';
import { sentenceOf, withoutSuccessors } from './words.ts';

/** The number of events on a page. */
export const PAGE_SIZE = 50;

/** Renders one page of events. @param entries one more than the page shows, if there are more events */
export function eventList(
  catalog: Catalog,
  address: Address,
  entries: readonly ToldEntry[],
  now: Instant,
): Html {
  const events = entries.slice(0, PAGE_SIZE);
  const last = events.at(-1);
  const isFirst = address.before === undefined;
  const newest = isFirst
    ? null
    : html`<p><a href="${activityPath(address)}">Back to the newest events</a></p>`;
  if (last === undefined) {
    if (isFirst) return noEvents('No recorded event matches these filters.');
    return html`${newest}${emptyState('No older events', 'This is the end of the list.')}`;
  }
  const next = entries.length > PAGE_SIZE ? activityPath(address, { before: String(last.id) }) : undefined;
  return html`${newest}${table({
    caption: 'Events, newest first',
    list: 'events',
    rows: withoutSuccessors(events),
    columns: {
      Event: sentenceOf(catalog),
      When: ({ event }) => exactTime(event.at, now),
      // The page shows an address only if a user acted. If a token acted by its first use, no address is recorded, and
      // the address of an operator is not shown.
      From: ({ event: { actor, origin } }) =>
        actor.kind !== 'user' || origin === null ? html`<small>–</small>` : html`<code>${origin}</code>`,
    },
  })}
${pager({ label: 'events', next })}`;
}

/** Says why the list is empty, with a link to all events. */
export const noEvents = (text: Html | string): Html =>
  emptyState('No events', text, buttonLink(ACTIVITY, 'Show all events'));
