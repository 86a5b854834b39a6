import { err, ok } from '@gatehouse/domain';
import type { KeyEncryption, SealedSecret } from '@gatehouse/domain/signing-keys';
import type { Clock } from '@gatehouse/domain/time';
import { CompactEncrypt, compactDecrypt, errors } from 'jose';
import type { LoadedMasterKey } from './load-master-key.ts';
import type { MasterKey } from './master-key.ts';
import { readMasterKeyFiles } from './master-key-file.ts';

/**
 * The shortest time between two reads of the master key file, in milliseconds. The file is read again when a secret
 * cannot be decrypted.
 */
const REREAD_MS = 1000;

/**
 * Encrypts and decrypts with the loaded master key. If the master key came from a regular file and that file is
 * replaced, decrypts with the new master key, too, without a restart. Once a newer master key has decrypted a secret,
 * encrypts with that one, and never again with an older one: during a replacement, secrets of both are stored, and the
 * older master key will decrypt none of them in the end. Never reads a pipe again, because a second read would wait for
 * a writer.
 */
export function createFollowingKeyEncryption(
  { masterKey, file, pipe = false }: LoadedMasterKey,
  clock: Clock,
): KeyEncryption {
  let current: KeyEncryption = createKeyEncryption({ masterKey });
  let others: readonly { readonly key: string; readonly encryption: KeyEncryption }[] = [];
  /** The master keys that were replaced, and the current one. */
  const succeeded = new Set([textOf(masterKey)]);
  let readAt = Number.NEGATIVE_INFINITY;

  async function reread(path: string): Promise<void> {
    const age = clock.now() - readAt;
    if (age >= 0 && age < REREAD_MS) return;
    readAt = clock.now();
    const found = await readMasterKeyFiles(path);
    others = found.map((each) => ({
      key: textOf(each),
      encryption: createKeyEncryption({ masterKey: each }),
    }));
  }

  return {
    seal: (secret, id) => current.seal(secret, id),

    async open(sealed, id) {
      const opened = await current.open(sealed, id);
      if (opened.ok || file === undefined || pipe) return opened;
      await reread(file);
      for (const { key, encryption } of others) {
        const openedByOther = await encryption.open(sealed, id);
        if (!openedByOther.ok) continue;
        if (!succeeded.has(key)) current = encryption;
        succeeded.add(key);
        return openedByOther;
      }
      return opened;
    },
  };
}

const textOf = (masterKey: MasterKey) => Buffer.from(masterKey).toString('base64url');

/**
 * Encrypts secrets as JWEs (RFC 7516) with AES-256-GCM, directly with the master key. The header's `kid` is the id that
 * the caller passes with a secret. The encryption protects the header from changes.
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
