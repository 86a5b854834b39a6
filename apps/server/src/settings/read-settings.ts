import { err, ok, type Result } from '@gatehouse/domain';
import { type Environment, embeddedDataDir } from '@gatehouse/installation/settings';
import { findGivenMasterKey, type LoadedMasterKey } from '@gatehouse/key-encryption';
import { exposureOfFile, exposureOfFolder } from '@gatehouse/key-encryption/private-files';
import { demoPath } from '../start/demo-file.ts';
import { parseSettings, type Settings } from './settings.ts';

export interface ServerSettings {
  readonly settings: Settings;
  /** Undefined where it may have to be made, which the database decides. Read once: a pipe gives it once only. */
  readonly masterKey: LoadedMasterKey | undefined;
}

/**
 * Reads the settings, and what they say about files, before any database is asked. Everything that is wrong is
 * reported at once, a line for each problem.
 */
export async function readSettings(
  environment: Environment,
): Promise<Result<ServerSettings, readonly string[]>> {
  const parsed = parseSettings(environment);
  const dataDir = embeddedDataDir(environment);
  const masterKey = await findGivenMasterKey({ ...environment, dataDir });
  const problems = [
    ...(parsed.ok ? [] : parsed.error),
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
