import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { err, ok } from '../src/result.ts';
import type { KeyEncryption } from '../src/signing-keys/key-encryption.ts';
import type { SealedSecret } from '../src/signing-keys/signing-key.ts';

const NONCE_LENGTH = 12;
const TAG_LENGTH = 16;

/** Creates a KeyEncryption for tests, whose master key is any word. */
export function createFakeKeyEncryption(masterWord = 'master'): KeyEncryption {
  const masterKey = createHash('sha256').update(masterWord).digest();
  return {
    async seal(secret, id) {
      const nonce = randomBytes(NONCE_LENGTH);
      const cipher = createCipheriv('aes-256-gcm', masterKey, nonce).setAAD(Buffer.from(id));
      const sealed = Buffer.concat([nonce, cipher.update(secret), cipher.final(), cipher.getAuthTag()]);
      return sealed.toString('base64url') as SealedSecret;
    },

    async open(sealed, id) {
      const bytes = Buffer.from(sealed, 'base64url');
      try {
        if (bytes.toString('base64url') !== sealed) throw new Error('more or less than base64url');
        const decipher = createDecipheriv('aes-256-gcm', masterKey, bytes.subarray(0, NONCE_LENGTH));
        decipher.setAAD(Buffer.from(id)).setAuthTag(bytes.subarray(-TAG_LENGTH));
        const secret = decipher.update(bytes.subarray(NONCE_LENGTH, -TAG_LENGTH));
        return ok(Uint8Array.from(Buffer.concat([secret, decipher.final()])));
      } catch {
        return err({ code: 'master_key_rejected' });
      }
    },
  };
}
