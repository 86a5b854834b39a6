import type { KeyEncryption } from '@gatehouse/domain/signing-keys';
import type { Clock } from '@gatehouse/domain/time';
import { createKeyEncryption } from './jwe-key-encryption.ts';
import type { LoadedMasterKey } from './load-master-key.ts';
import { readMasterKeyFiles } from './master-key-file.ts';

/** Shortest time between two reads of the file because a secret could not be opened. */
const REREAD_MS = 1000;

/**
 * Seals and opens with the loaded master key. If the key came from a regular file and the file is replaced, it also uses
 * the new key, without a restart; a pipe would wait for a writer. Seals under the master key that last opened a secret.
 */
export function createFollowingKeyEncryption(
  { masterKey, file, pipe = false }: LoadedMasterKey,
  clock: Clock,
): KeyEncryption {
  let current = createKeyEncryption({ masterKey });
  let others: readonly KeyEncryption[] = [];
  let readAt = Number.NEGATIVE_INFINITY;

  async function reread(path: string): Promise<void> {
    const age = clock.now() - readAt;
    if (age >= 0 && age < REREAD_MS) return;
    readAt = clock.now();
    const found = await readMasterKeyFiles(path);
    others = found.map((masterKey) => createKeyEncryption({ masterKey }));
  }

  return {
    seal: (secret, id) => current.seal(secret, id),

    async open(sealed, id) {
      const opened = await current.open(sealed, id);
      if (opened.ok || file === undefined || pipe) return opened;
      await reread(file);
      for (const other of others) {
        const openedByOther = await other.open(sealed, id);
        if (!openedByOther.ok) continue;
        current = other;
        return openedByOther;
      }
      return opened;
    },
  };
}
