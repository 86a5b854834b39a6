import type { LoadedMasterKey } from '@gatehouse/key-encryption';
import type { Store } from '../start/open-store.ts';

/**
 * Returns the settings of workers, which all use the primary process's database, master key and port. They are never
 * passed as arguments, which every user of the machine can list.
 */
export function workerEnvironment(
  { url, listenUrl }: Store,
  { masterKey, file, pipe }: LoadedMasterKey,
  port: number,
): Record<string, string> {
  // A worker reads a regular file again, because the key may have been replaced by then.
  const byPath = file !== undefined && !pipe;
  return {
    DATABASE_URL: url,
    DATABASE_LISTEN_URL: listenUrl,
    GATEHOUSE_MASTER_KEY: byPath ? '' : Buffer.from(masterKey).toString('base64url'),
    GATEHOUSE_MASTER_KEY_FILE: byPath ? file : '',
    PORT: String(port),
  };
}
