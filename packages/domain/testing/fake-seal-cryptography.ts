import { createHash, createHmac } from 'node:crypto';
import type { SealCryptography } from '../src/audit/index.ts';

/** Creates the cryptography of seals for tests, which makes the same secrets in the same order. */
export function createFakeSealCryptography(): SealCryptography {
  let count = 0;
  return {
    createSecret() {
      count += 1;
      return Uint8Array.from(createHash('sha256').update(`seal secret ${count}`).digest());
    },
    hash: (text) => createHash('sha256').update(text).digest('base64url'),
    mac: (secret, text) =>
      createHmac('sha256', Buffer.concat([secret, Buffer.from('fake')]))
        .update(text)
        .digest('base64url'),
  };
}
