import type { DatabaseAddress } from '@gatehouse/installation/open-database';
import type { LoadedMasterKey } from '@gatehouse/key-encryption';
import { currentUrl } from '@gatehouse/postgres';
import type { Settings } from '../settings/settings.ts';
import type { Store } from '../start/open-store.ts';

/**
 * Returns the settings of workers, which all use the primary process's database, master key and port. They are never
 * passed as arguments, which every user of the machine can list.
 */
export function workerEnvironment(
  { address, listenAddress }: Pick<Store, 'address' | 'listenAddress'>,
  { masterKey, file, pipe }: LoadedMasterKey,
  settings: Pick<Settings, 'PORT' | 'OTEL_EXPORTER_OTLP_HEADERS_FILE'>,
): Record<string, string> {
  // A worker reads a regular file again, because the key may have been replaced by then.
  const byPath = file !== undefined && !pipe;
  return {
    ...addressSettings('DATABASE_URL', address),
    ...addressSettings('DATABASE_LISTEN_URL', listenAddress),
    GATEHOUSE_MASTER_KEY: byPath ? '' : Buffer.from(masterKey).toString('base64url'),
    GATEHOUSE_MASTER_KEY_FILE: byPath ? file : '',
    PORT: String(settings.PORT),
    ...headersSettings(settings.OTEL_EXPORTER_OTLP_HEADERS_FILE),
  };
}

/** Returns the headers for the collector if they came from a pipe. A worker cannot read the pipe, but it can read a file. */
function headersSettings(file: Settings['OTEL_EXPORTER_OTLP_HEADERS_FILE']) {
  if (file === undefined || file.isRegular) return {};
  const pairs = Object.entries(file.value).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return { OTEL_EXPORTER_OTLP_HEADERS: pairs.join(','), OTEL_EXPORTER_OTLP_HEADERS_FILE: '' };
}

function addressSettings(name: string, { url, file }: DatabaseAddress) {
  return {
    [name]: file === undefined ? currentUrl(url) : '',
    // A worker reads the file itself, because the file may be replaced before the worker starts.
    [`${name}_FILE`]: file ?? '',
  };
}
