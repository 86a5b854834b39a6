import type { Ports } from '../ports.ts';
import { err, ok, type Result } from '../result.ts';
import type { Email } from '../users/email.ts';
import { normalPassword } from '../users/normal-password.ts';
import type { HashingBusy, PasswordChanged } from '../users/password-hasher.ts';
import { type Credentials, isActive } from '../users/user-repository.ts';
import type { LimitSignIn } from './limit-sign-ins.ts';
import { attemptOf, type SignInThrottle, type TooManyAttempts } from './sign-in-throttle.ts';

/** Unknown email, wrong password, disabled user or suspended account; the client is not told which. */
type CredentialsNotAccepted = { readonly code: 'credentials_not_accepted' };

/** Why credentials are not verified. */
export type CredentialsError = CredentialsNotAccepted | TooManyAttempts | HashingBusy;

export interface VerifyCredentialsPorts extends Ports<'users' | 'passwords'> {
  readonly throttle: SignInThrottle;
  /** Shared by everything that verifies a password. */
  readonly limitSignIn: LimitSignIn;
}

export interface CredentialsInput {
  readonly email: string;
  readonly password: string;
  /** The client's IP address. */
  readonly address: string;
  /** Called with the address of the user whose password is verified, for the log. The client must not be told. */
  readonly onUser?: (email: Email) => void;
}

/** What verified credentials are used for. It checks in its own transaction that the hash still is the verified one. */
type UseCredentials<T, E> = (
  credentials: Credentials,
) => Promise<Result<T, E | CredentialsError | PasswordChanged>>;

/**
 * Verifies an email and a password within the limits on sign-ins, and calls `use` with the user's credentials if they
 * are right. Everything that asks for a password goes through here, so that guesses count the same wherever they are
 * made, and take the same time whether or not the user exists.
 */
export function verifyCredentials(ports: VerifyCredentialsPorts) {
  return <T, E = never>(input: CredentialsInput, use: UseCredentials<T, E>) =>
    ports.limitSignIn(input, () => admitAndVerify(ports, input, use));
}

async function admitAndVerify<T, E>(
  ports: VerifyCredentialsPorts,
  input: CredentialsInput,
  use: UseCredentials<T, E>,
): Promise<Result<T, E | CredentialsError>> {
  const attempt = attemptOf(input.email, input.address);
  const admitted = await ports.throttle.admit(attempt);
  if (!admitted.ok) return admitted;

  const used = await verifyAndUse(ports, input, use);
  if (!used.ok) return used;
  const { value, credentials } = used.value;
  await ports.throttle.succeeded(attempt);
  await renewHash(ports, credentials, input.password);
  return ok(value);
}

async function verifyAndUse<T, E>(
  ports: VerifyCredentialsPorts,
  input: CredentialsInput,
  use: UseCredentials<T, E>,
  isSecondTime = false,
): Promise<Result<{ readonly value: T; readonly credentials: Credentials }, E | CredentialsError>> {
  const credentials = await ports.users.findCredentials(input.email);
  if (credentials) input.onUser?.(credentials.user.email);
  const given = { 'as-typed': input.password, normal: normalPassword(input.password) };
  const password = given[credentials?.passwordForm ?? 'normal'];
  // Does the same work whether or not the user exists, so that the response time reveals nothing.
  const verified = await ports.passwords.verify(password, credentials?.passwordHash);
  if (!verified.ok) return verified;
  if (!credentials || !verified.value || !isActive(credentials)) {
    return err({ code: 'credentials_not_accepted' });
  }
  const used = await use(credentials);
  if (used.ok) return ok({ value: used.value, credentials });
  if (!isPasswordChanged(used.error)) return err(used.error);
  // A concurrent sign-in may have stored a stronger hash of the same password. If the password changed, this fails.
  return isSecondTime ? err({ code: 'credentials_not_accepted' }) : verifyAndUse(ports, input, use, true);
}

function isPasswordChanged<E>(error: E | PasswordChanged): error is PasswordChanged {
  return (error as PasswordChanged).code === 'password_changed';
}

/**
 * Hashes the password again if its hash is outdated, and notes that a hash is of the normal form if what was typed is that. A
 * hash of another form stays one: servers of the version before, which verify passwords as typed, may run beside this one.
 */
async function renewHash(
  { users, passwords }: VerifyCredentialsPorts,
  { user, passwordHash, passwordForm }: Credentials,
  typed: string,
): Promise<void> {
  const normal = normalPassword(typed);
  const form = typed === normal ? 'normal' : passwordForm;
  const isOutdated = passwords.isOutdated(passwordHash);
  if (!isOutdated && form === passwordForm) return;
  const renewed = isOutdated ? await passwords.hash(form === 'normal' ? normal : typed) : ok(passwordHash);
  // When the hashing queue is full, the old hash stays until the next sign-in.
  if (renewed.ok)
    await users.replacePasswordHash(user.id, { verified: passwordHash, hash: renewed.value, form });
}
