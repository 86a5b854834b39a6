import { createHash, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import type { SealCryptography } from '@gatehouse/domain/audit';

/**
 * The purpose of the derived key (RFC 5869 section 3.2). Later, keys for other purposes can be derived from the same
 * secret.
 */
const INFO = 'gatehouse audit seals';

/** Creates the hash and MAC functions of audit seals, which use Node's OpenSSL. */
export function createSealCryptography(): SealCryptography {
  return {
    createSecret: () => Uint8Array.from(randomBytes(32)),
    hash: (text) => createHash('sha256').update(text).digest('base64url'),
    mac(secret, text) {
      const key = hkdfSync('sha256', secret, '', INFO, 32);
      return createHmac('sha256', new Uint8Array(key)).update(text).digest('base64url');
    },
  };
}
