import type { Result } from '../result.ts';
import type { SealedSecret } from './signing-key.ts';

/** The error if the master key is malformed, missing or unreadable. The message is one line and contains no secret. */
export interface MasterKeyUnusable {
  readonly code: 'master_key_unusable';
  readonly message: string;
}

/**
 * The error if a secret cannot be decrypted: it is damaged, it belongs to another key, or it was encrypted with another
 * master key.
 */
export type MasterKeyRejected = { readonly code: 'master_key_rejected' };

/**
 * Encrypts signing keys at rest, with authenticated encryption and a master key that is kept outside the database. The
 * encryption also authenticates the key's id, so a secret that is moved to the row of another key cannot be decrypted.
 * Implementations pass `keyEncryptionContract`.
 */
export interface KeyEncryption {
  seal(secret: Uint8Array, id: string): Promise<SealedSecret>;
  open(sealed: SealedSecret, id: string): Promise<Result<Uint8Array, MasterKeyRejected>>;
}

/** The current master key and its replacement. */
export interface MasterKeyReplacement {
  readonly current: KeyEncryption;
  /** The next master key. It is already stored durably, so that later processes can decrypt keys with it. */
  readonly next: KeyEncryption;
  /**
   * Makes the next master key the current one. Call this function when no key in use is encrypted with the current
   * master key. It can be called repeatedly.
   */
  complete(): Promise<void>;
}

/** Replaces the master key, which is stored outside the database. */
export interface MasterKeys {
  /**
   * Runs `work` while no other process replaces the master key. A replacement that was interrupted continues with the
   * same next master key.
   */
  replace<T>(work: (replacement: MasterKeyReplacement) => Promise<T>): Promise<T>;
}
