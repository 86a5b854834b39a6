import type { LoadedMasterKey } from '@gatehouse/key-encryption';
import type { Store } from '../start/open-store.ts';

/**
 * What a worker needs of what the primary process opened, as settings: the workers of all times have the same
 * database, master key and port. Never arguments, which every user of the machine can list.
 */
export function workerEnvironment(
  { url, listenUrl }: Store,
  { masterKey, file }: LoadedMasterKey,
  port: number,
): Record<string, string> {
  return {
    DATABASE_URL: url,
    DATABASE_LISTEN_URL: listenUrl,
    // From a file it is read again, because another one may have taken its place by then.
    GATEHOUSE_MASTER_KEY: file === undefined ? Buffer.from(masterKey).toString('base64url') : '',
    GATEHOUSE_MASTER_KEY_FILE: file ?? '',
    PORT: String(port),
  };
}
