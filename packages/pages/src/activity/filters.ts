import { showFields } from '../elements/form.ts';
import { button } from '../elements/inline.ts';
import { searchForm } from '../elements/search-form.ts';
import type { Html } from '../html.ts';
import { html } from '../html.ts';
import { ACTIVITY } from '../paths.ts';
import type { Address } from './address.ts';
import type { Selectable } from './selectable.ts';
import { subjectText } from './subject.ts';

const FIELDS = {
  user: { label: 'User', hint: 'Part of the name or email of the user who made the change', type: 'search' },
  kind: { label: 'Type', type: 'select' },
  change: { label: 'Change', type: 'select' },
  token: { label: 'Token', hint: 'Part of its name', type: 'search' },
  from: { label: 'From', hint: 'First day, in UTC', type: 'date' },
  to: { label: 'To', hint: 'Last day, in UTC', type: 'date' },
} as const;

/** Renders the form that filters the list. */
export function activityFilters({ kinds, changes }: Selectable, address: Address): Html {
  const { user = '', kind = '', change = '', token = '', from = '', to = '', subject } = address;
  const field = showFields(FIELDS, { user, kind, change, token, from, to });
  const ofKind = { '': 'All types', ...Object.fromEntries(kinds) };
  const ofChange = {
    '': 'All changes',
    ...Object.fromEntries([...changes].map(([name, { label }]) => [name, label])),
  };
  const count = [token, from, to].filter((value) => value !== '').length;
  const isFiltered = subject !== undefined || count > 0 || [user, kind, change].some((value) => value !== '');
  return searchForm({
    action: ACTIVITY,
    ...(subject && { hidden: { subject: subjectText(subject) } }),
    main: html`${field('user')}\n${field('kind', { options: ofKind })}\n${field('change', { options: ofChange })}\n${button('Apply')}`,
    filters: html`${field('token')}\n${field('from')}\n${field('to')}`,
    count,
    ...(isFiltered && { clear: ACTIVITY }),
  });
}
