import type { Brand } from '../identifiers.ts';
import type { Result } from '../result.ts';

/** The hash of a password, with the parameters and the salt of the hash, in the format of the hasher. */
export type PasswordHash = Brand<string, 'PasswordHash'>;

/** The error if the stored password hash was replaced after the password was verified. */
export type PasswordChanged = { readonly code: 'password_changed' };

/** The error if the queue of passwords that wait to be hashed is full. */
export type HashingBusy = { readonly code: 'hashing_busy' };

/**
 * Hashes passwords. Hashing is slow by design, so it runs outside the event loop, and only a limited number of
 * passwords is hashed at the same time. Passwords are hashed exactly as given: they are neither trimmed nor truncated,
 * and the caller brings them into the normal form (`normalPassword`).
 * Implementations pass `passwordHasherContract`.
 */
export interface PasswordHasher {
  hash(password: string): Promise<Result<PasswordHash, HashingBusy>>;

  /**
   * Verifies a password. If `hash` is undefined, verifies against a dummy hash, so that the call takes the same time,
   * and returns false.
   */
  verify(password: string, hash: PasswordHash | undefined): Promise<Result<boolean, HashingBusy>>;

  /** Whether the hash was made with weaker parameters than those that the hasher uses now. */
  isOutdated(hash: PasswordHash): boolean;
}
