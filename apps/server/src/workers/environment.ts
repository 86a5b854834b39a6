import type { MasterKey } from '@gatehouse/key-encryption';
import type { Store } from '../start/open-store.ts';

/**
 * What a worker needs of what the primary process opened, as settings: the workers of all times have the same
 * database, key and port, whatever became of files. Never arguments, which every user of the machine can list.
 */
export function workerEnvironment(
  { url, listenUrl }: Store,
  masterKey: MasterKey,
  port: number,
): Record<string, string> {
  return {
    DATABASE_URL: url,
    DATABASE_LISTEN_URL: listenUrl,
    GATEHOUSE_MASTER_KEY: Buffer.from(masterKey).toString('base64url'),
    GATEHOUSE_MASTER_KEY_FILE: '',
    PORT: String(port),
  };
}
