import type { AuditEventId, ListAccountAuditEventsInput } from '@gatehouse/domain/audit';
import { endOfDay, type Instant, parseDate } from '@gatehouse/domain/time';
import { EMAIL_MAX_LENGTH } from '@gatehouse/domain/users';
import { isSearchable, parametersOf } from '../address.ts';
import { ACTIVITY, withQuery } from '../paths.ts';
import type { Selectable } from './selectable.ts';
import { parseSubject, type Subject, subjectText } from './subject.ts';

/** The filters in the address of the page, and the position in the list. */
export interface Address {
  /** A part of the name or email of users who made changes. */
  readonly user?: string | undefined;
  /** A part of the name of tokens. */
  readonly token?: string | undefined;
  /** The one resource that was changed. */
  readonly subject?: Subject | undefined;
  readonly kind?: string | undefined;
  /** The name of a change, such as `revoked`. */
  readonly change?: string | undefined;
  /** The first and the last day (UTC), such as `2026-12-01`. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly before?: AuditEventId | undefined;
  /** The parameters that the page does not understand. */
  readonly leftOut: readonly string[];
}

export function readAddress({ kinds, changes }: Selectable, query: URLSearchParams): Address {
  const { leftOut, read } = parametersOf(query);
  const searched = (text: string) => (isSearchable(text, EMAIL_MAX_LENGTH) ? text : undefined);
  const day = (text: string) => (parseDate(text) === undefined ? undefined : text);
  return {
    user: read('user', searched),
    token: read('token', searched),
    subject: read('subject', (text) => parseSubject(kinds, text)),
    kind: read('kind', (text) => (kinds.has(text) ? text : undefined)),
    change: read('change', (text) => (changes.has(text) ? text : undefined)),
    from: read('from', day),
    to: read('to', day),
    before: read('before', (text) =>
      /^[1-9]\d{0,14}$/.test(text) ? (Number(text) as AuditEventId) : undefined,
    ),
    leftOut,
  };
}

/** The path of the page with these filters. @param more parameters besides the filters */
export function activityPath(
  { user, token, subject, kind, change, from, to }: Partial<Address> = {},
  more: Readonly<Record<string, string | undefined>> = {},
  path = ACTIVITY,
): string {
  const of = subject && subjectText(subject);
  return withQuery(path, { subject: of, user, token, kind, change, from, to, ...more });
}

/** Returns what the filters ask the use case for. */
export function filtersOf(
  { kinds, changes }: Selectable,
  { user, token, subject, kind, change, from, to }: Address,
): Omit<ListAccountAuditEventsInput, 'limit'> {
  const moment = (at: Instant | undefined) => (at === undefined ? undefined : { at });
  return {
    subjectTypes: kind === undefined ? [...kinds.keys()] : [kind],
    actions: change === undefined ? undefined : changes.get(change)?.actions,
    user,
    token,
    subject,
    since: moment(from === undefined ? undefined : parseDate(from)),
    until: moment(to === undefined ? undefined : endOfDay(to)),
  };
}
