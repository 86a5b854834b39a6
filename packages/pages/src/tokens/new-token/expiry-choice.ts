import { err, ok, type Result } from '@gatehouse/domain';
import { endOfDay, formatDuration, type Instant, parseDuration } from '@gatehouse/domain/time';
import type { TokenRules } from '@gatehouse/domain/token-policy';
import { type Expiry, endFrom } from '@gatehouse/domain/tokens';
import type { FieldError, ShowField } from '../../elements/form.ts';
import { warning } from '../../elements/notice.ts';
import { lastDayInWords } from '../../elements/time.ts';
import { type Html, html } from '../../html.ts';
import { durationInWords } from '../rules-in-words.ts';

/** The durations that the form always offers. A link to the form can select another duration. */
const PRESETS = { '30d': '30 days', '60d': '60 days', '90d': '90 days', '365d': '1 year' } as const;

/** The values of the two fields in which a user chooses when a token expires. */
export interface ExpiryChoice {
  /** A duration such as `90d`, `never`, or `date`. */
  readonly expires: string;
  /** The last day, such as `2027-01-31`, if `expires` is `date`. */
  readonly date: string;
}

/** Returns the expiry that the user chose. If the choice is not valid, the error names the field that is wrong. */
export function expiryOf({ expires, date }: ExpiryChoice): Result<Expiry, FieldError> {
  if (expires === 'never') return ok('never');
  if (expires === 'date') {
    const at = endOfDay(date);
    if (at !== undefined) return ok({ at });
    return err({ field: 'date', message: 'Choose the last day on which the token should work.' });
  }
  const duration = parseDuration(expires);
  if (duration === undefined) return err({ field: 'expires', message: 'Choose when the token expires.' });
  return ok({ in: duration });
}

/** Returns the choice that the form begins with: the default lifetime of the account. */
export const defaultExpiry = ({ defaultLifetimeMs }: TokenRules): string =>
  defaultLifetimeMs === null ? 'never' : formatDuration(defaultLifetimeMs);

/** Returns the name of the field beside which the form shows why the expiry was refused. */
export const expiryField = ({ expires }: ExpiryChoice) => (expires === 'date' ? 'date' : 'expires');

export const EXPIRY_FIELDS = {
  expires: {
    label: 'Expires',
    subject: 'Expiration',
    type: 'select',
    hint: 'Forgotten tokens expire on this date.',
  },
  date: { label: 'Last day', type: 'date', hint: 'The token works until the end of this day (UTC).' },
} as const;

/**
 * Renders the fields in which a user chooses when a token expires, without choices that the rules refuse. Each duration
 * is shown with the last day of the token. style.css hides the date field until the user chooses `date`, and the
 * warning until the user chooses `never`.
 */
export function expiryFields(
  field: ShowField<keyof typeof EXPIRY_FIELDS>,
  { expires }: ExpiryChoice,
  rules: TokenRules,
  now: Instant,
): Html {
  const asked = Object.hasOwn(PRESETS, expires) ? undefined : parseDuration(expires);
  const durations = {
    ...(asked !== undefined && { [expires]: durationInWords(asked) }),
    ...PRESETS,
  };
  const isAllowed = (value: string) =>
    (parseDuration(value) ?? 0) <= (rules.maxLifetimeMs ?? Number.POSITIVE_INFINITY);
  const allowed = Object.entries(durations).filter(([value]) => value === expires || isAllowed(value));
  const options = allowed.map(([value, words]) => {
    const end = endFrom(now, { in: parseDuration(value) ?? 0 });
    return [value, end.ok ? `In ${words}: ${lastDayInWords(end.value)}` : `In ${words}`];
  });
  const isNeverOffered = !rules.mustExpire || expires === 'never';
  return html`<div class="field expiry">${field('expires', {
    options: {
      ...Object.fromEntries(options),
      date: 'Custom date',
      ...(isNeverOffered && { never: 'Never' }),
    },
    ...(rules.maxLifetimeMs !== null && {
      hint: `Tokens of your account work for at most ${durationInWords(rules.maxLifetimeMs)}.`,
    }),
  })}
<div class="if-date">${field('date')}</div>
<div class="if-never">${warning('If a token that never expires leaks, it keeps working until an admin revokes it.')}</div></div>`;
}
