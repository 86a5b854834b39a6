import { err, ok, type Result } from '@gatehouse/domain';
import { type Instant, parseDuration } from '@gatehouse/domain/time';
import { type Expiry, endFrom } from '@gatehouse/domain/tokens';
import { type FieldError, input, select } from '../elements/field.ts';
import { warning } from '../elements/notice.ts';
import { endOfDay, lastDayInWords } from '../elements/time.ts';
import { type Html, html } from '../html.ts';

/** The choices that are always offered; a link can ask for another duration. */
const PRESETS = { '30d': '30 days', '60d': '60 days', '90d': '90 days', '365d': '1 year' } as const;

export const DEFAULT_EXPIRY: keyof typeof PRESETS = '90d';

const UNITS: Readonly<Record<string, string>> = {
  s: 'seconds',
  m: 'minutes',
  h: 'hours',
  d: 'days',
  w: 'weeks',
};

/** The chosen end of a token: a duration such as `90d`, `never`, or `date` with a day. */
export interface ExpiryChoice {
  readonly expires: string;
  /** As `2027-01-31`. */
  readonly date: string;
}

/** Reads the choice; an error says at which field it is wrong. */
export function expiryOf({ expires, date }: ExpiryChoice): Result<Expiry, FieldError> {
  if (expires === 'never') return ok('never');
  if (expires === 'date') {
    const at = endOfDay(date);
    if (at !== undefined) return ok({ at });
    return err({ field: 'date', message: 'choose the last day on which the token should work' });
  }
  const duration = parseDuration(expires);
  if (duration === undefined) return err({ field: 'expires', message: 'choose when it ends' });
  return ok({ in: duration });
}

/** The field of a refused end. */
export const expiryField = ({ expires }: ExpiryChoice) => (expires === 'date' ? 'date' : 'expires');

/** Asks when a token ends. Each duration shows its day, and `never` a warning. */
export function expiryFields(choice: ExpiryChoice, now: Instant, errors: readonly FieldError[]): Html {
  const { expires, date } = choice;
  const durations: [string, string][] = Object.entries(PRESETS);
  if (parseDuration(expires) !== undefined && !Object.hasOwn(PRESETS, expires)) {
    durations.unshift([expires, `${expires.slice(0, -1)} ${UNITS[expires.slice(-1)] ?? ''}`]);
  }
  const options = durations.map(([value, words]) => {
    const end = endFrom(now, { in: parseDuration(value) ?? 0 });
    return { value, label: end.ok ? `In ${words}: ${lastDayInWords(end.value)}` : `In ${words}` };
  });
  return html`<div class="field expiry">${select({
    name: 'expires',
    label: 'Expires',
    hint: 'A token that is forgotten ends by itself.',
    options: [
      ...options,
      { value: 'date', label: 'On a day of your choice' },
      { value: 'never', label: 'Never' },
    ],
    chosen: expires,
    errors,
  })}
<div class="if-date">${input({
    name: 'date',
    label: 'Last day',
    type: 'date',
    hint: 'The token works until the end of this day (UTC).',
    value: date,
    errors,
  })}</div>
<div class="if-never">${warning('A token without an end that leaks works until an admin revokes it.')}</div></div>`;
}
