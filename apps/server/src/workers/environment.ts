import type { DatabaseAddress } from '@gatehouse/installation/open-database';
import type { LoadedMasterKey } from '@gatehouse/key-encryption';
import { currentUrl } from '@gatehouse/postgres';
import type { Settings } from '../settings/settings.ts';
import type { Store } from '../start/open-store.ts';

/**
 * Returns the environment variables with which workers use the same database, master key and port as the primary
 * process. The values are not passed as arguments, because every user of the machine can list the arguments of
 * processes.
 */
export function workerEnvironment(
  { address, listenAddress }: Pick<Store, 'address' | 'listenAddress'>,
  { masterKey, file, pipe }: LoadedMasterKey,
  settings: Pick<Settings, 'PORT' | 'OTEL_EXPORTER_OTLP_HEADERS_FILE' | 'SMTP_URL_FILE'>,
): Record<string, string> {
  // If the master key is in a regular file, a worker is passed the name of the file and not the key, because the key
  // may be replaced before the worker starts.
  const byPath = file !== undefined && !pipe;
  return {
    ...addressSettings('DATABASE_URL', address),
    ...addressSettings('DATABASE_LISTEN_URL', listenAddress),
    GATEHOUSE_MASTER_KEY: byPath ? '' : Buffer.from(masterKey).toString('base64url'),
    GATEHOUSE_MASTER_KEY_FILE: byPath ? file : '',
    PORT: String(settings.PORT),
    ...headersSettings(settings.OTEL_EXPORTER_OTLP_HEADERS_FILE),
    ...mailServerSettings(settings.SMTP_URL_FILE),
  };
}

/** Returns the URL of the mail server if it was read from a pipe. */
function mailServerSettings(file: Settings['SMTP_URL_FILE']) {
  return file === undefined || file.isRegular ? {} : { SMTP_URL: file.value, SMTP_URL_FILE: '' };
}

/**
 * Returns the headers for the collector if they were read from a pipe, because a worker cannot read the pipe again. If
 * they are in a regular file, the worker reads that file.
 */
function headersSettings(file: Settings['OTEL_EXPORTER_OTLP_HEADERS_FILE']) {
  if (file === undefined || file.isRegular) return {};
  const pairs = Object.entries(file.value).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return { OTEL_EXPORTER_OTLP_HEADERS: pairs.join(','), OTEL_EXPORTER_OTLP_HEADERS_FILE: '' };
}

function addressSettings(name: string, { url, file }: DatabaseAddress) {
  return {
    [name]: file === undefined ? currentUrl(url) : '',
    // A worker is passed the name of the file and reads the URL itself, because the file may be replaced before the
    // worker starts.
    [`${name}_FILE`]: file ?? '',
  };
}
