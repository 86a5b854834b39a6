import { createHash, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import type { SealCryptography } from '@gatehouse/domain/audit';

/** What the key is for (RFC 5869 section 3.2): the secret can have other keys derived from it later. */
const INFO = 'gatehouse audit seals';

/** Creates the cryptography of audit seals on OpenSSL. */
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
