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

export interface LoadedMasterKey {
  readonly masterKey: MasterKey;
  /** The file that it was read from, where another may take its place; undefined for one of the settings. */
  readonly file: string | undefined;
}

/** The master key that the settings give, or else the one in the data folder. */
export async function loadMasterKey(
  options: LoadMasterKeyOptions,
): Promise<Result<LoadedMasterKey, MasterKeyProblem>> {
  const { GATEHOUSE_MASTER_KEY: key, GATEHOUSE_MASTER_KEY_FILE: file, dataDir, mayCreate = true } = options;
  if (key && file !== undefined) {
    return err(
      masterKeyProblem('GATEHOUSE_MASTER_KEY and GATEHOUSE_MASTER_KEY_FILE are both set: set one of them'),
    );
  }
  if (key) return ok({ masterKey: key, file: undefined });
  if (file !== undefined) return read('GATEHOUSE_MASTER_KEY_FILE', file);
  if (dataDir === undefined) {
    return err(
      masterKeyProblem(
        'a master key is required when DATABASE_URL is set: give it in GATEHOUSE_MASTER_KEY or in the file ' +
          'that GATEHOUSE_MASTER_KEY_FILE names (`gatehouse key new-master` prints a new one)',
      ),
    );
  }
  const generated = masterKeyPath(dataDir);
  const problem = mayCreate ? await createMasterKeyFile(generated) : undefined;
  return problem ? err(problem) : read('master key', generated);
}

/** Where the data folder has its master key. */
export function masterKeyPath(dataDir: string): string {
  return join(dataDir, 'master.key');
}

async function read(name: string, file: string): Promise<Result<LoadedMasterKey, MasterKeyProblem>> {
  const found = await readMasterKeyFile(file);
  if (found.ok) return ok({ masterKey: found.value, file });
  return err(masterKeyProblem(`${name}: ${found.error.message}`));
}
