import type { SignInError } from '@gatehouse/domain/sign-in';
import type { Header } from '@gatehouse/http';
import { alert } from './elements/notice.ts';
import { html } from './html.ts';
import type { View } from './view.ts';

type Limited = Extract<SignInError, { readonly code: 'too_many_attempts' | 'hashing_busy' }>;

/** The response if a password cannot be verified now. */
export interface PasswordLimit {
  readonly status: number;
  readonly text: string;
  readonly headers: readonly Header[];
}

/** Says how long to wait before the password can be verified. */
export function passwordLimit(error: Limited): PasswordLimit {
  if (error.code === 'hashing_busy') {
    const text = 'Too many people are signing in right now. Try again in a moment.';
    return { status: 503, text, headers: [['retry-after', '1']] };
  }
  const { retryAfterSeconds } = error;
  const text = `Too many attempts. Try again in ${inWords(retryAfterSeconds)}.`;
  return { status: 429, text, headers: [['retry-after', String(retryAfterSeconds)]] };
}

/** Shows the form again, with a message above it that says how long to wait. */
export function limitedView({ content, ...shown }: View, error: Limited): View {
  const { status, text, headers } = passwordLimit(error);
  return { ...shown, content: html`${alert(text)}${content}`, status, headers };
}

function inWords(seconds: number): string {
  if (seconds < 60) return seconds === 1 ? '1 second' : `${seconds} seconds`;
  const minutes = Math.ceil(seconds / 60);
  return minutes === 1 ? '1 minute' : `${minutes} minutes`;
}
