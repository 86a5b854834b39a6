import { DEFAULT_GRACE_MS } from '@gatehouse/domain/tokens';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

interface Grace {
  /** The value in the form. */
  readonly value: string;
  /** In milliseconds. */
  readonly graceMs: number;
  readonly label: string;
  /** Follows `The old one works`. */
  readonly words: string;
}

/** How long a token can work after its successor's first use. */
export const GRACES: readonly Grace[] = [
  ['0', 0, 'Not at all', 'until the new one is first used'],
  ['1h', HOUR, '1 hour', 'for 1 hour after the new one is first used'],
  ['24h', DAY, '24 hours', 'for 24 hours after the new one is first used'],
  ['7d', 7 * DAY, '7 days', 'for 7 days after the new one is first used'],
  ['30d', 30 * DAY, '30 days', 'for 30 days after the new one is first used'],
].map(([value, graceMs, label, words]) => ({ value, graceMs, label, words }) as Grace);

/** The default of the form. */
export const DEFAULT_GRACE = GRACES.find(({ graceMs }) => graceMs === DEFAULT_GRACE_MS)?.value ?? '0';

export const graceOf = (value: string): Grace | undefined => GRACES.find((grace) => grace.value === value);
