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

/** Runs a sign-in attempt of the API or a page, and reports its outcome to the log and the counters. */
export type NoteSignIn = <Value, E extends { readonly code: SignInError['code'] }>(
  request: HttpRequest,
  credentials: Pick<Attempt, 'email' | 'password'>,
  signIn: (attempt: Attempt) => Promise<Result<Value, E>>,
) => Promise<Result<Value, E>>;
