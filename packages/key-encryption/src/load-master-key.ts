import { access, constants, lstat, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { err, ok, type Result } from '@gatehouse/domain';
import type { MasterKeyUnusable } from '@gatehouse/domain/signing-keys';
import { type MasterKey, parseMasterKey, unusable } from './master-key.ts';
import {
  createMasterKeyFile,
  DATA_FOLDER_FILE,
  foreignNextFile,
  type MasterKeyFileRules,
  NAMED_FILE,
  nextMasterKeyPath,
  readMasterKeyFile,
} from './master-key-file.ts';
import { exposureOfFile } from './private-files.ts';
import { systemCode } from './system-errors.ts';
import { whyUnreadable } from './unreadable-file.ts';

interface LoadMasterKeyOptions {
  readonly GATEHOUSE_MASTER_KEY?: MasterKey | undefined;
  readonly GATEHOUSE_MASTER_KEY_FILE?: string | undefined;
  /** The folder of `master.key`, which is used if both settings are missing. */
  readonly dataDir?: string | undefined;
  /**
   * Whether to create a missing `master.key`. Default: true. Must be false if the database has signing keys, because a
   * new master key could not decrypt them.
   */
  readonly mayCreate?: boolean;
}

export interface LoadedMasterKey {
  readonly masterKey: MasterKey;
  /**
   * The file from which the master key was read. An operator may replace this file later. Undefined if the master key
   * came from a setting.
   */
  readonly file: string | undefined;
  /** Whether the file is a pipe, which can be read only once. */
  readonly pipe?: boolean;
}

/** Loads the master key from the setting that is given, or from the data folder if no setting is given. */
export async function loadMasterKey(
  options: LoadMasterKeyOptions,
): Promise<Result<LoadedMasterKey, MasterKeyUnusable>> {
  const { GATEHOUSE_MASTER_KEY: key, GATEHOUSE_MASTER_KEY_FILE: file, dataDir, mayCreate = true } = options;
  if (key) return ok({ masterKey: key, file: undefined });
  if (file !== undefined) return read('GATEHOUSE_MASTER_KEY_FILE', file, NAMED_FILE);
  if (dataDir === undefined) {
    return unusable(
      'a master key is required when DATABASE_URL is set: give it in GATEHOUSE_MASTER_KEY or in the file ' +
        'that GATEHOUSE_MASTER_KEY_FILE names (`gatehouse key new-master` prints a new one)',
    );
  }
  const generated = masterKeyPath(dataDir);
  const problem = mayCreate ? await createMasterKeyFile(generated) : undefined;
  return problem ? err(problem) : read('master key', generated, DATA_FOLDER_FILE);
}

/** The settings of the master key. An empty text counts as unset. */
interface GivenMasterKey {
  readonly GATEHOUSE_MASTER_KEY?: string | undefined;
  readonly GATEHOUSE_MASTER_KEY_FILE?: string | undefined;
  readonly dataDir?: string | undefined;
}

/**
 * Loads the master key before it is known whether the database has signing keys. Returns undefined if there is no
 * master key yet. Also returns undefined if `GATEHOUSE_MASTER_KEY` is invalid, because `masterKeySettings` reports that
 * error.
 */
export async function findGivenMasterKey({
  GATEHOUSE_MASTER_KEY: text,
  GATEHOUSE_MASTER_KEY_FILE,
  dataDir,
}: GivenMasterKey): Promise<Result<LoadedMasterKey | undefined, MasterKeyUnusable>> {
  const file = GATEHOUSE_MASTER_KEY_FILE || undefined;
  if (text) {
    const parsed = parseMasterKey(text);
    return ok(parsed.ok ? { masterKey: parsed.value, file: undefined } : undefined);
  }
  const mayBeMade = file === undefined && dataDir !== undefined && !(await hasMasterKey(dataDir));
  if (mayBeMade) return ok(undefined);
  return loadMasterKey({ GATEHOUSE_MASTER_KEY_FILE: file, dataDir, mayCreate: false });
}

/** Returns whether `master.key` exists, even if it cannot be read. */
async function hasMasterKey(dataDir: string): Promise<boolean> {
  return lstat(masterKeyPath(dataDir)).then(
    () => true,
    (error: unknown) => systemCode(error) !== 'ENOENT' && systemCode(error) !== 'ENOTDIR',
  );
}

/** The path of the master key in the data folder. */
const masterKeyPath = (dataDir: string) => join(dataDir, 'master.key');

async function read(
  name: string,
  file: string,
  rules: MasterKeyFileRules,
): Promise<Result<LoadedMasterKey, MasterKeyUnusable>> {
  const found = await readMasterKeyFile(file, rules);
  if (!found.ok) return unusable(`${name}: ${found.error.message}`);
  // Checks the file of the next master key as well. Otherwise, a file that cannot be read would cause an error only
  // after the signing keys are encrypted with the next master key.
  const next = nextMasterKeyPath(file);
  const problem =
    (await foreignNextFile(file)) ??
    exposureOfFile(next, { groupMayRead: rules.ofOperator }) ??
    (await unreadable(next, file));
  if (problem !== undefined) return unusable(`${name}: ${problem}`);
  // If the file was a pipe, the program that wrote to it may have removed it after the read.
  const isFile = await stat(file).then(
    (status) => status.isFile(),
    () => false,
  );
  return ok({ masterKey: found.value, file, ...(!isFile && { pipe: true }) });
}

/** Returns why the file of the next master key cannot be read; undefined if it can be read or does not exist. */
async function unreadable(path: string, current: string): Promise<string | undefined> {
  try {
    await access(path, constants.R_OK);
    return undefined;
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    return `${path} cannot be read: ${whyUnreadable(path, error)} (give it the owner and the mode of ${current})`;
  }
}
