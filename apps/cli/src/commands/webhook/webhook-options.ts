import { WEBHOOK_ACTIONS, WEBHOOK_ID } from '../../input/parsers.ts';

/** The argument that is the id of a webhook. */
export const WEBHOOK = { ...WEBHOOK_ID, description: "The webhook's id" } as const;

/** The options that describe a webhook. */
export const DESCRIPTION = { value: 'text', description: 'What the webhook is for' } as const;

export const WANTED = {
  ...WEBHOOK_ACTIONS,
  description:
    'The events that are sent: all, or actions separated by commas, such as token.created,token.revoked',
} as const;

export const ADDRESSES = {
  value: 'yes|no',
  description: 'Whether messages contain the email and IP addresses of people',
  choices: ['yes', 'no'],
} as const;
