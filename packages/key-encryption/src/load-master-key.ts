import { join } from 'node:path';
import { err, ok, type Result } from '@gatehouse/domain';
import { type MasterKey, type MasterKeyProblem, masterKeyProblem } from './master-key.ts';
import { createMasterKeyFile, readMasterKeyFile } from './master-key-file.ts';

export interface LoadMasterKeyOptions {
  readonly GATEHOUSE_MASTER_KEY?: MasterKey | undefined;
  readonly GATEHOUSE_MASTER_KEY_FILE?: string | undefined;
  /** The folder that holds `master.key` where neither setting is given. */
  readonly dataDir?: string | undefined;
  /**
   * Whether a missing `master.key` is made, which it is by default. Where keys are stored already, a new
   * master key would open none of them.
   */
  readonly mayCreate?: boolean;
}

/** The master key that the settings give, or else the one in the data folder. */
export async function loadMasterKey(
  options: LoadMasterKeyOptions,
): Promise<Result<MasterKey, MasterKeyProblem>> {
  const { GATEHOUSE_MASTER_KEY: key, GATEHOUSE_MASTER_KEY_FILE: file, dataDir, mayCreate = true } = options;
  if (key && file !== undefined) {
    return err(
      masterKeyProblem('GATEHOUSE_MASTER_KEY and GATEHOUSE_MASTER_KEY_FILE are both set: set one of them'),
    );
  }
  if (key) return ok(key);
  if (file !== undefined) return named('GATEHOUSE_MASTER_KEY_FILE', await readMasterKeyFile(file));
  if (dataDir === undefined) {
    return err(
      masterKeyProblem(
        'a master key is required when DATABASE_URL is set: give it in GATEHOUSE_MASTER_KEY or in the file ' +
          'that GATEHOUSE_MASTER_KEY_FILE names (`gatehouse key new-master` prints a new one)',
      ),
    );
  }
  const generated = join(dataDir, 'master.key');
  const problem = mayCreate ? await createMasterKeyFile(generated) : undefined;
  return problem ? err(problem) : named('master key', await readMasterKeyFile(generated));
}

function named(
  name: string,
  loaded: Result<MasterKey, MasterKeyProblem>,
): Result<MasterKey, MasterKeyProblem> {
  return loaded.ok ? loaded : err(masterKeyProblem(`${name}: ${loaded.error.message}`));
}
