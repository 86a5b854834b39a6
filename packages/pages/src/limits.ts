import type { AccessDenied } from '@gatehouse/domain/access';
import type { SignInError } from '@gatehouse/domain/sign-in';
import type { Header } from '@gatehouse/http';
import type { FieldError } from './elements/field.ts';
import { denied, type Outcome, SESSION_ENDED, type View, withAlert } from './view.ts';

type Limited = Extract<SignInError, { readonly code: 'too_many_attempts' | 'hashing_busy' }>;

/** The answer if a password cannot be verified now: its status, the text of the alert, and how long to wait. */
export function passwordLimit(error: Limited) {
  const isBusy = error.code === 'hashing_busy';
  const seconds = isBusy ? 1 : error.retryAfterSeconds;
  const text = isBusy
    ? 'Too many people are signing in right now. Try again in a moment.'
    : `Too many attempts. Try again in ${inWords(seconds)}.`;
  const headers: readonly Header[] = [['retry-after', String(seconds)]];
  return { status: isBusy ? 503 : 429, text, headers };
}

type Refused = Limited | AccessDenied | { readonly code: 'credentials_not_accepted' | 'session_not_found' };

/** Answers a form whose password was not accepted. @param again shows the form with these errors */
export function passwordRefused(
  error: Refused,
  field: string,
  again: (errors: readonly FieldError[]) => View,
): Outcome {
  switch (error.code) {
    case 'credentials_not_accepted':
      return again([{ field, message: 'is not right' }]);
    case 'too_many_attempts':
    case 'hashing_busy': {
      const { status, text, headers } = passwordLimit(error);
      return withAlert(again([]), text, status, headers);
    }
    case 'session_not_found':
      return SESSION_ENDED;
    default:
      return denied(error);
  }
}

function inWords(seconds: number): string {
  if (seconds < 60) return seconds === 1 ? '1 second' : `${seconds} seconds`;
  const minutes = Math.ceil(seconds / 60);
  return minutes === 1 ? '1 minute' : `${minutes} minutes`;
}
