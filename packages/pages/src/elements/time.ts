import { addMilliseconds, formatInstant, type Instant } from '@gatehouse/domain/time';
import { type Html, html } from '../html.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/**
 * The units of relative times. Each unit is used for durations from `from` on: 23.5 hours, for example, are shown as 1
 * day.
 */
const UNITS: readonly (readonly [from: number, unit: Intl.RelativeTimeFormatUnit, length: number])[] = [
  [345 * DAY, 'year', 365 * DAY],
  [45 * DAY, 'month', 30 * DAY],
  [23.5 * HOUR, 'day', DAY],
  [59.5 * MINUTE, 'hour', HOUR],
  [MINUTE, 'minute', MINUTE],
];

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'always' });

const exact = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium', timeZone: 'UTC' });

const toTheMinute = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'medium',
  timeStyle: 'short',
  timeZone: 'UTC',
});

const calendar = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

/** A relative time, such as `3 minutes ago` or `in 2 days`. */
export function timeInWords(instant: Instant, now: Instant): string {
  const distance = instant - now;
  const [, unit, length] = UNITS.find(([from]) => Math.abs(distance) >= from) ?? [];
  if (unit === undefined || length === undefined)
    return distance > SECOND ? 'in less than a minute' : 'just now';
  return relative.format(Math.round(distance / length), unit);
}

/**
 * Renders a relative time. Browsers show the exact time on hover, and screen readers read it.
 * @param note follows the exact time
 */
export function time(instant: Instant, now: Instant, note = ''): Html {
  return withExact(instant, timeInWords(instant, now), note);
}

/**
 * Renders an exact time, such as `28 Nov 2026, 21:32 UTC`, and the relative one below it. A list of events is compared
 * with other logs, so its readers need the exact times at a glance.
 */
export function exactTime(instant: Instant, now: Instant): Html {
  const at = html`<time datetime="${formatInstant(instant)}">${toTheMinute.format(instant)} UTC</time>`;
  return html`${at} <small>${timeInWords(instant, now)}</small>`;
}

/**
 * The last day on which a token works, such as `31 January 2027`. If the token ends at midnight (UTC), this is the day
 * before.
 */
export const lastDayInWords = (end: Instant): string => calendar.format(addMilliseconds(end, -1));

const shortDate = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' });

/** The last day on which a token works, such as `31 Jan 2027`, for a list. */
export const lastDayInList = (end: Instant): string => shortDate.format(addMilliseconds(end, -1));

/** Renders the last day on which a token works. Browsers show the exact end on hover, and screen readers read it. */
export function lastDay(end: Instant): Html {
  return withExact(end, lastDayInWords(end));
}

/**
 * Adds the exact time as a `title` attribute. style.css makes screen readers read this attribute, so the HTML need not
 * contain the exact time a second time, as hidden text.
 */
function withExact(instant: Instant, words: string, note = ''): Html {
  return html`<span title="${exact.format(instant)} UTC${note}">${words}</span>`;
}
