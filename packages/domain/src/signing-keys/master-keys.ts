import type { KeyEncryption } from './key-encryption.ts';

/** The current master key and its replacement. */
export interface MasterKeyReplacement {
  readonly current: KeyEncryption;
  /** Already stored durably, so that a later process can decrypt what is encrypted with it. */
  readonly next: KeyEncryption;
  /** Called when no key in use needs the current master key any more. Idempotent. */
  complete(): Promise<void>;
}

/** Stores the master key, outside the database. */
export interface MasterKeys {
  /**
   * Runs the work with exclusive access to the replacement. An interrupted replacement is resumed with the same
   * next master key.
   */
  replace<T>(work: (replacement: MasterKeyReplacement) => Promise<T>): Promise<T>;
}
