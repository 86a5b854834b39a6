import type { Brand } from '../identifiers.ts';
import type { Result } from '../result.ts';

/** A password's hash with its parameters and salt, in the hasher's format. */
export type PasswordHash = Brand<string, 'PasswordHash'>;

/** The stored hash is no longer the one that was verified. */
export type PasswordChanged = { readonly code: 'password_changed' };

/** The hashing queue is full. */
export type HashingBusy = { readonly code: 'hashing_busy' };

/**
 * Hashes passwords, slowly by design, off the event loop, with bounded concurrency. Passwords are used exactly as
 * given: not trimmed or truncated, and normalized only by the caller (`normalPassword`).
 * Implementations pass `passwordHasherContract`.
 */
export interface PasswordHasher {
  hash(password: string): Promise<Result<PasswordHash, HashingBusy>>;

  /** Verifies a password. Without a stored hash, takes the same time with a dummy hash, and returns false. */
  verify(password: string, hash: PasswordHash | undefined): Promise<Result<boolean, HashingBusy>>;

  /** Whether the hash was made with weaker parameters than the current ones. */
  isOutdated(hash: PasswordHash): boolean;
}
