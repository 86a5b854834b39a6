import { err, ok } from '@gatehouse/domain';
import type { KeyEncryption, SealedSecret } from '@gatehouse/domain/signing-keys';
import { CompactEncrypt, compactDecrypt, errors } from 'jose';
import type { MasterKey } from './master-key.ts';

/**
 * Seals secrets as JWEs (RFC 7516) with AES-256-GCM directly under the master key. The key's id is the
 * header's `kid`, which the encryption authenticates.
 */
export function createKeyEncryption({ masterKey }: { readonly masterKey: MasterKey }): KeyEncryption {
  return {
    async seal(secret, id) {
      const sealed = await new CompactEncrypt(secret)
        .setProtectedHeader({ alg: 'dir', enc: 'A256GCM', kid: id })
        .encrypt(masterKey);
      return sealed as SealedSecret;
    },

    async open(sealed, id) {
      try {
        const { plaintext, protectedHeader } = await compactDecrypt(sealed, masterKey, {
          keyManagementAlgorithms: ['dir'],
          contentEncryptionAlgorithms: ['A256GCM'],
        });
        if (protectedHeader.kid === id) return ok(plaintext);
      } catch (error) {
        if (!(error instanceof errors.JOSEError)) throw error;
      }
      return err({ code: 'master_key_rejected' });
    },
  };
}
