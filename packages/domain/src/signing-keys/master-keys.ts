import type { KeyEncryption } from './key-encryption.ts';

/** The master key in use, and the one that is to take its place. */
export interface MasterKeyReplacement {
  readonly current: KeyEncryption;
  /** Kept durably already: what is sealed under it can be opened by whoever comes next. */
  readonly next: KeyEncryption;
  /** Called once no key in use needs the current one any more. May be called again. */
  complete(): Promise<void>;
}

/** Where the master key is kept, outside the database. */
export interface MasterKeys {
  /**
   * Does the work on a replacement that nobody else works on at the same time. One that was interrupted is
   * taken up again: it has the same next master key.
   */
  replace<T>(work: (replacement: MasterKeyReplacement) => Promise<T>): Promise<T>;
}
