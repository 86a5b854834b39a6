import type { DatabaseAddress } from '@gatehouse/installation/open-database';
import type { LoadedMasterKey } from '@gatehouse/key-encryption';
import { currentUrl } from '@gatehouse/postgres';
import type { Store } from '../start/open-store.ts';

/**
 * Returns the settings of workers, which all use the primary process's database, master key and port. They are never
 * passed as arguments, which every user of the machine can list.
 */
export function workerEnvironment(
  { address, listenAddress }: Pick<Store, 'address' | 'listenAddress'>,
  { masterKey, file, pipe }: LoadedMasterKey,
  port: number,
): Record<string, string> {
  // A worker reads a regular file again, because the key may have been replaced by then.
  const byPath = file !== undefined && !pipe;
  return {
    ...addressSettings('DATABASE_URL', address),
    ...addressSettings('DATABASE_LISTEN_URL', listenAddress),
    GATEHOUSE_MASTER_KEY: byPath ? '' : Buffer.from(masterKey).toString('base64url'),
    GATEHOUSE_MASTER_KEY_FILE: byPath ? file : '',
    PORT: String(port),
  };
}

function addressSettings(name: string, { url, file }: DatabaseAddress) {
  return {
    [name]: file === undefined ? currentUrl(url) : '',
    // A worker reads the file itself, because it may have been replaced by then.
    [`${name}_FILE`]: file ?? '',
  };
}
