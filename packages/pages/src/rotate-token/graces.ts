import { DEFAULT_GRACE_MS } from '@gatehouse/domain/tokens';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** How long a token can work after its successor's first use: the value in the form, and the time in milliseconds. */
export const GRACES = [
  { value: '0', graceMs: 0, label: 'Not at all' },
  { value: '1h', graceMs: HOUR, label: '1 hour' },
  { value: '24h', graceMs: DAY, label: '24 hours' },
  { value: '7d', graceMs: 7 * DAY, label: '7 days' },
  { value: '30d', graceMs: 30 * DAY, label: '30 days' },
];

/** The default of the form. */
export const DEFAULT_GRACE = GRACES.find(({ graceMs }) => graceMs === DEFAULT_GRACE_MS)?.value ?? '0';

/** Follows `The old one works`. */
export const graceInWords = ({ graceMs, label }: (typeof GRACES)[number]): string =>
  `${graceMs === 0 ? 'until' : `for ${label} after`} the new one is first used`;
