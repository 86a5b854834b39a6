import type { SigningKeyRepository } from '@gatehouse/domain/signing-keys';
import type { Environment, InstallationSettings } from '@gatehouse/installation/settings';
import { embeddedDataDir, installationSettings, parseSettings } from '@gatehouse/installation/settings';
import type { LoadedMasterKey, MasterKey } from '@gatehouse/key-encryption';
import { exposureOfFolder } from '@gatehouse/key-encryption/private-files';
import type { Cli, Need } from './cli.ts';
import { DataFolderExposed, usageError } from './errors/command-error.ts';

export interface Prepared {
  readonly settings: InstallationSettings;
  /**
   * The master key. Undefined for a command that does not need it. Also undefined if no master key exists yet: it is
   * created with the first signing keys.
   */
  readonly masterKey?: LoadedMasterKey | undefined;
  /** The new master key, if its file was given. */
  readonly newMasterKey?: MasterKey | undefined;
}

/** The settings, keys and extensions from which the use cases of a command are created, besides the database. */
export interface Surroundings extends Pick<Cli, 'catalog' | 'extensions'> {
  readonly prepared: Prepared;
  readonly environment: Environment;
  /** Prints a line for the user. */
  warn(text: string): void;
}

/**
 * Reads the settings, and the files that the settings and the command name, before the database is opened. Reports all
 * problems in one error. Each file is read only once, because it may be a pipe.
 */
export async function prepare(environment: Environment, need?: Need): Promise<Prepared> {
  const parsed = parseSettings(installationSettings, environment);
  const dataDir = embeddedDataDir(environment);
  const exposure = dataDir === undefined ? undefined : exposureOfFolder(dataDir);
  const { problems: ofKeys, ...keys } = need
    ? await readMasterKeys(environment, dataDir, need)
    : { problems: [] };
  const problems = [...(parsed.ok ? [] : parsed.error), ...(exposure ? [exposure] : []), ...ofKeys];
  if (parsed.ok && problems.length === 0) return { settings: parsed.value, ...keys };
  if (exposure !== undefined && problems.length === 1) throw new DataFolderExposed(exposure);
  throw usageError(problems.join('; '));
}

/**
 * Reads the current master key, and the new one if the command names its file. Called only for commands that need them.
 */
async function readMasterKeys(
  environment: Environment,
  dataDir: string | undefined,
  need: Need,
): Promise<Omit<Prepared, 'settings'> & { readonly problems: readonly string[] }> {
  const { newMasterKeyFile } = need;
  const [{ findGivenMasterKey, readMasterKeyFile }, { masterKeySettings }] = await Promise.all([
    import('@gatehouse/key-encryption'),
    import('@gatehouse/installation/master-key'),
  ]);
  const parsed = parseSettings(masterKeySettings, environment);
  const found = await findGivenMasterKey({ ...environment, dataDir });
  const next = newMasterKeyFile === undefined ? undefined : await readMasterKeyFile(newMasterKeyFile);
  return {
    masterKey: found.ok ? found.value : undefined,
    newMasterKey: next?.ok ? next.value : undefined,
    problems: [
      ...(parsed.ok ? [] : parsed.error),
      ...(found.ok ? [] : [found.error.message]),
      ...(next === undefined || next.ok ? [] : [`--new-master-key-file: ${next.error.message}`]),
    ],
  };
}

/**
 * Returns the configured master key, or the one in the data folder. Creates a master key if there are no signing keys
 * yet.
 */
export async function requireMasterKey(
  { settings, masterKey }: Prepared,
  signingKeys: SigningKeyRepository,
): Promise<LoadedMasterKey> {
  if (masterKey) return masterKey;
  const { openMasterKey } = await import('@gatehouse/installation/master-key');
  const opened = await openMasterKey(settings, signingKeys);
  if (!opened.ok) throw usageError(`${opened.error.message}.`);
  return opened.value;
}
