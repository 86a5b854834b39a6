import { isPasswordOpen } from '../break-glass/is-password-open.ts';
import type { Ports } from '../ports.ts';
import { err, ok, type Result } from '../result.ts';
import type { Email } from '../users/email.ts';
import { normalPassword } from '../users/normal-password.ts';
import type { HashingBusy, PasswordChanged, PasswordHash } from '../users/password-hasher.ts';
import { type Credentials, isActive } from '../users/user-repository.ts';
import { attemptOf, type SignInAttempt, type TooManyAttempts } from './sign-in-throttle.ts';

/** Unknown email, wrong password, disabled user or suspended account. The response does not say which. */
type CredentialsNotAccepted = { readonly code: 'credentials_not_accepted' };

/** The reason why credentials are not accepted. */
export type CredentialsError = CredentialsNotAccepted | TooManyAttempts | HashingBusy;

export type VerifyCredentialsPorts = Ports<
  'users' | 'passwords' | 'throttle' | 'signInGate' | 'breakGlass' | 'passwordSignIn' | 'clock'
>;

export interface CredentialsInput {
  readonly email: string;
  readonly password: string;
  /** The client's IP address. */
  readonly address: string;
  /** A function that is called with the email of the user whose password is verified. Only the log needs the email. */
  readonly onUser?: (email: Email) => void;
  /** Whether the password was entered on a page. Default: false, as in a sign-in by the API. */
  readonly isOnPage?: boolean;
}

/** An attempt that was counted and is in progress. When it is disposed of, the next sign-in in the queue may begin. */
interface AdmittedAttempt extends Disposable {
  readonly attempt: SignInAttempt;
}

/*
 * Every use case that asks for a password has the same steps: `admitAttempt`, `verifyPassword`, the action that needs
 * the password, and `noteSuccess`. So each wrong password counts as an attempt, and the response takes the same time
 * whether or not the user exists.
 */

/**
 * Waits in the queue of sign-ins and then counts the attempt. Returns an error if the queue is full or a limit is
 * reached.
 */
export async function admitAttempt(
  { signInGate, throttle }: VerifyCredentialsPorts,
  { email, address }: CredentialsInput,
): Promise<Result<AdmittedAttempt, CredentialsError>> {
  const attempt = attemptOf(email, address);
  const entered = await signInGate.enter(attempt);
  if (!entered.ok) return entered;
  using place = new DisposableStack();
  place.use(entered.value);
  const admitted = await throttle.admit(attempt);
  if (!admitted.ok) return admitted;
  const kept = place.move();
  return ok({ attempt, [Symbol.dispose]: () => kept.dispose() });
}

/** Returns the credentials of the user if the password is right. */
export async function verifyPassword(
  ports: VerifyCredentialsPorts,
  input: CredentialsInput,
): Promise<Result<Credentials, CredentialsError>> {
  const { isOnPage = false } = input;
  const credentials = await ports.users.findCredentials(input.email);
  if (credentials) input.onUser?.(credentials.user.email);
  const given = { 'as-typed': input.password, normal: normalPassword(input.password) };
  const password = given[credentials?.passwordForm ?? 'normal'];
  // Takes the same time whether or not the user exists, so that the response time does not reveal which users exist.
  const verified = await ports.passwords.verify(password, credentials?.passwordHash);
  if (!verified.ok) return verified;
  // Asked for unknown users, too, so that the response takes the same time.
  const isOpen = await isPasswordOpen(ports, credentials?.user, { isOnPage });
  if (!credentials || !verified.value || !isOpen || !isActive(credentials)) {
    return err({ code: 'credentials_not_accepted' });
  }
  return ok(credentials);
}

/** Tells the throttle that the sign-in was successful, and replaces an outdated hash of the password. */
export async function noteSuccess(
  ports: VerifyCredentialsPorts,
  { attempt }: AdmittedAttempt,
  credentials: Credentials,
  typed: string,
): Promise<void> {
  await ports.throttle.succeeded(attempt);
  await renewHash(ports, credentials, typed);
}

/**
 * Verifies the password and calls `use` with the credentials. If the stored hash was replaced in the meantime, tries
 * once more: a concurrent sign-in may have stored a stronger hash of the same password. If the password itself was
 * changed, the second try fails.
 *
 * @param use checks in its own transaction that the stored hash is still the verified one
 * @param replaces whether `use` stores another password, so that the hash of the verified one is not renewed; default:
 * false
 */
export async function withPassword<T, E = never>(
  ports: VerifyCredentialsPorts,
  input: CredentialsInput,
  use: (credentials: Credentials) => Promise<Result<T, E | CredentialsError | PasswordChanged>>,
  { replaces = false } = {},
): Promise<Result<T, E | CredentialsError>> {
  const admitted = await admitAttempt(ports, input);
  if (!admitted.ok) return admitted;
  using attempt = admitted.value;
  for (let tries = 0; tries < 2; tries += 1) {
    const verified = await verifyPassword(ports, input);
    if (!verified.ok) return verified;
    const used = await use(verified.value);
    if (used.ok) {
      if (replaces) await ports.throttle.succeeded(attempt.attempt);
      else await noteSuccess(ports, attempt, verified.value, input.password);
      return used;
    }
    if (!isPasswordChanged(used.error)) return err(used.error);
  }
  return err({ code: 'credentials_not_accepted' });
}

function isPasswordChanged<E>(error: E | PasswordChanged): error is PasswordChanged {
  return (error as PasswordChanged).code === 'password_changed';
}

/**
 * Hashes the password again if its hash is outdated. If the typed password already is in the normal form
 * (`normalPassword`), stores that the hash is of the normal form. Otherwise the new hash is of the same form as the old
 * hash, because servers of an older version may still run, and they hash a password as it was typed.
 */
export async function renewHash(
  { users, passwords }: VerifyCredentialsPorts,
  { user, passwordHash, passwordForm }: Credentials,
  typed: string,
): Promise<PasswordHash> {
  const normal = normalPassword(typed);
  const form = typed === normal ? 'normal' : passwordForm;
  const isOutdated = passwords.isOutdated(passwordHash);
  if (!isOutdated && form === passwordForm) return passwordHash;
  const renewed = isOutdated ? await passwords.hash(form === 'normal' ? normal : typed) : ok(passwordHash);
  // If the hashing queue is full, the old hash stays until the next sign-in.
  if (!renewed.ok) return passwordHash;
  await users.replacePasswordHash(user.id, { verified: passwordHash, hash: renewed.value, form });
  return renewed.value;
}
