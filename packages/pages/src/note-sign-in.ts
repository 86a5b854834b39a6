import type { Result } from '@gatehouse/domain';
import type { SignInError } from '@gatehouse/domain/sign-in';
import type { Email } from '@gatehouse/domain/users';
import type { HttpRequest } from '@gatehouse/http';

interface Attempt {
  readonly email: string;
  readonly password: string;
  /** The client's IP address. */
  readonly address: string;
  readonly onUser: (email: Email) => void;
}

/** Runs an attempt to sign in, of the API or of a page, and reports how it ends: to a log and to counters. */
export type NoteSignIn = <Value, E extends { readonly code: SignInError['code'] }>(
  request: HttpRequest,
  credentials: Pick<Attempt, 'email' | 'password'>,
  signIn: (attempt: Attempt) => Promise<Result<Value, E>>,
) => Promise<Result<Value, E>>;
