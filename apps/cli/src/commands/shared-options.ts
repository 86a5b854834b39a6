import { TOKEN_FORMATS } from '@gatehouse/domain/tokens';
import { ACCOUNT_ID } from '../input/parsers.ts';

/** Arguments and options that several commands have. */
export const USER = { description: "The user's email address" };

/** Returns the option `--account`, which filters a list. `what` names the listed items, such as `users`. */
export const ofAccount = (what: string) =>
  ({ ...ACCOUNT_ID, description: `List only the ${what} of this account`, column: 'ACCOUNT' }) as const;

/** The units of a duration, for the description of an option. */
export const UNITS = 'units s, m, h, d, w, y (365 days)';

export const REASON = { value: 'text', description: 'The reason, which the audit log records' } as const;

export const FORMAT = {
  value: 'format',
  description: 'Token format (default: the setting TOKEN_FORMAT)',
  choices: TOKEN_FORMATS,
} as const;
