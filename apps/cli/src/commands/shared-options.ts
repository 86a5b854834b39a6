import { TOKEN_FORMATS } from '@gatehouse/domain/tokens';

/** Arguments and options that several commands have. */
export const USER = { description: "The user's email address" };

export const REASON = { value: 'text', description: 'Record why, in the audit log' } as const;

export const FORMAT = {
  value: 'format',
  description: 'Token format (default: TOKEN_FORMAT)',
  choices: TOKEN_FORMATS,
} as const;
