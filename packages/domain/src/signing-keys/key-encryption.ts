import type { Result } from '../result.ts';
import type { KeyId, SealedSecret } from './signing-key.ts';

/** The master key is malformed, missing or unreadable. The message is one line and contains no secret. */
export interface MasterKeyUnusable {
  readonly code: 'master_key_unusable';
  readonly message: string;
}

/** The secret cannot be decrypted: it is damaged, another key's, or encrypted with another master key. */
export type MasterKeyRejected = { readonly code: 'master_key_rejected' };

/**
 * Encrypts signing keys at rest, with authenticated encryption and a master key that is kept outside the database.
 * The key's id is authenticated too, so a secret that is moved to another row cannot be decrypted.
 * Implementations pass `keyEncryptionContract`.
 */
export interface KeyEncryption {
  seal(secret: Uint8Array, id: KeyId): Promise<SealedSecret>;
  open(sealed: SealedSecret, id: KeyId): Promise<Result<Uint8Array, MasterKeyRejected>>;
}

/** The current master key and its replacement. */
export interface MasterKeyReplacement {
  readonly current: KeyEncryption;
  /** The next master key. It is already stored durably, so that a later process can decrypt with it. */
  readonly next: KeyEncryption;
  /** Called when no key in use needs the current master key. Idempotent. */
  complete(): Promise<void>;
}

/** Stores the master key, outside the database. */
export interface MasterKeys {
  /**
   * Runs `work` while no other process replaces the master key. A replacement that was interrupted continues with the same next
   * master key.
   */
  replace<T>(work: (replacement: MasterKeyReplacement) => Promise<T>): Promise<T>;
}
