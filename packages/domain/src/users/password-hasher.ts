import type { Brand } from '../brand.ts';
import type { Result } from '../result.ts';

/** A password's hash with its own parameters and salt, as the hasher writes it. */
export type PasswordHash = Brand<string, 'PasswordHash'>;

/** So many hashes are under way that one more would be refused a fair share of the machine. */
export interface HashingBusy {
  readonly code: 'hashing_busy';
}

/**
 * Hashes passwords, slowly by design, away from the event loop, with a bounded number under way.
 * Passwords are taken exactly as given: no trimming, no cut at any length, no normalization.
 * Implementations pass `passwordHasherContract`.
 */
export interface PasswordHasher {
  hash(password: string): Promise<Result<PasswordHash, HashingBusy>>;

  /** Without a stored hash it does the same work against a dummy, and answers false. */
  verify(password: string, hash: PasswordHash | undefined): Promise<Result<boolean, HashingBusy>>;

  /** Whether the hash was made with weaker parameters than today's. */
  isOutdated(hash: PasswordHash): boolean;
}
