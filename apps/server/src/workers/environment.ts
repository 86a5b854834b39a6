import type { LoadedMasterKey } from '@gatehouse/key-encryption';
import type { Store } from '../start/open-store.ts';

/**
 * Returns the settings of workers, which all use the primary process's database, master key and port. They are never
 * passed as arguments, which every user of the machine can list.
 */
export function workerEnvironment(
  { url, listenUrl }: Store,
  { masterKey, file }: LoadedMasterKey,
  port: number,
): Record<string, string> {
  return {
    DATABASE_URL: url,
    DATABASE_LISTEN_URL: listenUrl,
    // A worker reads a key file again, because the key may have been replaced by then.
    GATEHOUSE_MASTER_KEY: file === undefined ? Buffer.from(masterKey).toString('base64url') : '',
    GATEHOUSE_MASTER_KEY_FILE: file ?? '',
    PORT: String(port),
  };
}
