import { err, ok, type Result } from '@gatehouse/domain';
import { mailSettingsProblems } from '@gatehouse/installation';
import { type Environment, embeddedDataDir } from '@gatehouse/installation/settings';
import { findGivenMasterKey, type LoadedMasterKey } from '@gatehouse/key-encryption';
import { exposureOfFile, exposureOfFolder } from '@gatehouse/key-encryption/private-files';
import { demoPath } from '../start/demo-file.ts';
import { parseSettings, type Settings } from './settings.ts';

export interface ServerSettings {
  readonly settings: Settings;
  /**
   * The master key that the settings name. It is read only once, because a pipe cannot be read again. Undefined if the
   * settings name none: the key is then in the data folder, or is created if the database has no signing keys.
   */
  readonly masterKey: LoadedMasterKey | undefined;
}

/**
 * Reads the settings and the files that they name, before the database is opened. All problems are reported at once,
 * one line each.
 */
export async function readSettings(
  environment: Environment,
): Promise<Result<ServerSettings, readonly string[]>> {
  const parsed = parseSettings(environment);
  const dataDir = embeddedDataDir(environment);
  const masterKey = await findGivenMasterKey({ ...environment, dataDir });
  const problems = [
    ...(parsed.ok ? mailSettingsProblems(parsed.value) : parsed.error),
    ...(dataDir === undefined ? [] : exposuresIn(dataDir)),
    ...(masterKey.ok ? [] : [masterKey.error.message]),
  ];
  return parsed.ok && masterKey.ok && problems.length === 0
    ? ok({ settings: parsed.value, masterKey: masterKey.value })
    : err(problems);
}

function exposuresIn(dataDir: string): readonly string[] {
  return [exposureOfFolder(dataDir), exposureOfFile(demoPath(dataDir))].flatMap((exposure) => exposure ?? []);
}
