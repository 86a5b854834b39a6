import { err, ok } from '@gatehouse/domain';
import type { ConnectionString } from '@gatehouse/postgres';
import { type FiledValue, follow, type InstallationSettings, readDatabaseUrlFile } from './settings/index.ts';

/** The address of a database. */
export interface DatabaseAddress {
  readonly url: ConnectionString;
  /**
   * The file that the URL was read from; undefined if the URL was not in a file, or was read from a pipe, which cannot
   * be read again.
   */
  readonly file: string | undefined;
}

type SettingName = 'DATABASE_URL' | 'DATABASE_LISTEN_URL';

/**
 * Returns the address in the setting `name`, or in the file that `${name}_FILE` names; undefined if neither setting is
 * set.
 *
 * @param onIgnored called with a line for the log when the file can no longer be used. If each new attempt fails for
 * the same reason, it is not called again
 */
export function addressIn(
  settings: Pick<InstallationSettings, SettingName | `${SettingName}_FILE`>,
  name: SettingName,
  onIgnored: (line: string) => void,
): DatabaseAddress | undefined {
  const [url, file] = [settings[name], settings[`${name}_FILE`]];
  if (url !== undefined) return { url, file: undefined };
  if (file === undefined) return undefined;
  if (!file.isRegular) return { url: file.value, file: undefined };
  return {
    url: followUrl(file, (problem) => onIgnored(`${name}_FILE ${problem}`)),
    file: file.path,
  };
}

/**
 * Returns a function that reads the file with the URL again for each new connection to the database. If the file has
 * new credentials, they are used. If it has the URL of another database, that URL is not used before the next start.
 */
function followUrl({ path, value }: FiledValue<string>, onIgnored: (problem: string) => void): () => string {
  const readAgain = (previous: string) => {
    const read = readDatabaseUrlFile(path, previous);
    if (!read.ok) return err(`${read.error}: its previous credentials are used`);
    const { value: url } = read.value;
    return withoutCredentials(url) === withoutCredentials(previous)
      ? ok(url)
      : err(
          `names ${path}, which now has the URL of another database, or other parameters: they are used only after a restart`,
        );
  };
  return follow(value, readAgain, onIgnored);
}

/** The parameters of a URL from which pg also reads credentials. */
const CREDENTIALS = ['user', 'password'];

function withoutCredentials(url: string): string {
  const parsed = URL.parse(url);
  if (parsed === null) return url;
  parsed.username = '';
  parsed.password = '';
  for (const name of CREDENTIALS) parsed.searchParams.delete(name);
  return parsed.href;
}
