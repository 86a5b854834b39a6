import { TOKEN_FORMATS } from '@gatehouse/domain/tokens';

/** Options that several commands have. */
export const REASON = { value: 'text', description: 'Record why, in the audit log' } as const;

export const FORMAT = {
  value: 'format',
  description: 'Token format (default: TOKEN_FORMAT)',
  choices: TOKEN_FORMATS,
} as const;
