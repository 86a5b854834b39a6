import type { Result } from '../result.ts';
import type { KeyId, SealedSecret } from './signing-key.ts';

/** No usable master key: it is malformed, missing or cannot be read. The message is one line and contains no secret. */
export interface MasterKeyUnusable {
  readonly code: 'master_key_unusable';
  readonly message: string;
}

/** The sealed secret does not open: another master key, another key's secret, or damage. */
export interface MasterKeyRejected {
  readonly code: 'master_key_rejected';
}

/**
 * Keeps signing keys secret at rest, with authenticated encryption under a master key that lives outside
 * the database. The key's id is bound in: a secret moved to another row does not open.
 * Implementations pass `keyEncryptionContract`.
 */
export interface KeyEncryption {
  seal(secret: Uint8Array, id: KeyId): Promise<SealedSecret>;
  open(sealed: SealedSecret, id: KeyId): Promise<Result<Uint8Array, MasterKeyRejected>>;
}
