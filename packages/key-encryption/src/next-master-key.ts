import { err, ok, type Result } from '@gatehouse/domain';
import { masterKeyPath } from './load-master-key.ts';
import { type MasterKey, type MasterKeyProblem, masterKeyProblem } from './master-key.ts';
import {
  createMasterKeyFile,
  moveMasterKeyFile,
  nextMasterKeyPath,
  readMasterKeyFile,
} from './master-key-file.ts';

export interface NextMasterKeyOptions {
  /** The folder whose `master.key` is to be replaced; undefined where the settings give the master key. */
  readonly dataDir: string | undefined;
  /** Holds the next master key. Without it, the data folder gets one that is new. */
  readonly file: string | undefined;
}

/** The master key that is to take the place of the one in use. */
export interface NextMasterKey {
  readonly masterKey: MasterKey;
  /** Where `settle` puts it; undefined where it stays with whoever gave it. */
  readonly path: string | undefined;
  /** Makes it the one that is loaded. What was done already is no problem. */
  settle(): Promise<MasterKeyProblem | undefined>;
}

/**
 * Keeps the next master key durably, before anything is sealed under it: in the data folder beside the one in
 * use, where whoever cannot open a key with that one finds it. One that an earlier attempt left there is the next.
 */
export async function prepareNextMasterKey({
  dataDir,
  file,
}: NextMasterKeyOptions): Promise<Result<NextMasterKey, MasterKeyProblem>> {
  const given = file === undefined ? undefined : await readMasterKeyFile(file);
  if (given && !given.ok) return given;
  if (dataDir === undefined) {
    if (!given) return err(masterKeyProblem('the new master key has to be given in a file'));
    return ok({ masterKey: given.value, path: undefined, settle: async () => undefined });
  }

  const path = masterKeyPath(dataDir);
  const waiting = nextMasterKeyPath(path);
  const problem = await createMasterKeyFile(waiting, given && textOf(given.value));
  if (problem) return err(problem);
  const kept = await readMasterKeyFile(waiting);
  if (!kept.ok) return kept;
  if (given && textOf(kept.value) !== textOf(given.value)) {
    return err(
      masterKeyProblem(
        `${waiting} is left from an earlier attempt with another master key: finish that first, with \`gatehouse key rewrap\` alone`,
      ),
    );
  }
  return ok({ masterKey: kept.value, path, settle: () => moveMasterKeyFile(waiting, path) });
}

function textOf(masterKey: MasterKey): string {
  return Buffer.from(masterKey).toString('base64url');
}
