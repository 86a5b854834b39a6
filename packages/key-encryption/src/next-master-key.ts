import { stat } from 'node:fs/promises';
import { err, ok, type Result } from '@gatehouse/domain';
import type { MasterKeyUnusable } from '@gatehouse/domain/signing-keys';
import { keepMasterKeyFile } from './keep-master-key.ts';
import { createMasterKey, type MasterKey, unusable } from './master-key.ts';
import {
  createMasterKeyFile,
  foreignNextFile,
  giveAccess,
  moveMasterKeyFile,
  NEXT_FILE,
  nextMasterKeyPath,
  readMasterKeyFile,
} from './master-key-file.ts';

interface NextMasterKeyOptions {
  /** The file of the current master key; undefined if the key is in a setting. */
  readonly file: string | undefined;
  /**
   * The next master key. Default: the key in the file `FILE.new` beside the current master key file. If there is no
   * such file, a new key is created in it.
   */
  readonly given: MasterKey | undefined;
  /** The date for the name of the kept file, for example 2026-11-21. */
  readonly day: string;
}

/** The master key that is to replace the current one. */
interface NextMasterKey {
  readonly masterKey: MasterKey;
  readonly placement: MasterKeyPlacement;
  /**
   * Replaces the current master key file by the file of the next master key if `placement` is `replaced`. Does nothing
   * if `placement` is `left`.
   */
  settle(): Promise<MasterKeyUnusable | undefined>;
}

export type MasterKeyPlacement =
  /**
   * The new master key replaces the current one in the file `path`. The current master key stays in the file `kept`.
   */
  | { readonly kind: 'replaced'; readonly path: string; readonly kept: string }
  /**
   * The operator has to install the new master key: in the file `path`, or in the setting `GATEHOUSE_MASTER_KEY` if
   * `path` is undefined.
   */
  | { readonly kind: 'left'; readonly path: string | undefined; readonly because: string };

/**
 * Stores both master keys durably before any secret is encrypted with the next master key. The current file gets a
 * second name. The next master key is stored in a file beside the current one. Running programs read that file if the
 * current master key does not decrypt a secret.
 */
export async function prepareNextMasterKey({
  file,
  given,
  day,
}: NextMasterKeyOptions): Promise<Result<NextMasterKey, MasterKeyUnusable>> {
  if (file === undefined)
    return leave(given, undefined, 'the master key is in the setting GATEHOUSE_MASTER_KEY');
  const waiting = nextMasterKeyPath(file);
  const left = await readWaiting(waiting, file);
  if (!left.ok) return left;
  if (given && left.value && textOf(left.value) !== textOf(given)) {
    return unusable(
      `${waiting} contains another master key, from an earlier \`gatehouse key rewrap\` that was not finished: run \`gatehouse key rewrap\` without --new-master-key-file to finish it. If neither ${waiting} nor ${file} decrypts the signing keys (\`gatehouse doctor\` reports this), remove ${waiting}`,
    );
  }
  const kept = await keepMasterKeyFile(file, day);
  if (!kept.ok) {
    if (kept.error.code === 'master_key_unusable') return err(kept.error);
    return leave(given ?? left.value, file, kept.error.message);
  }
  const like = await stat(file);
  const text = given ? textOf(given) : createMasterKey();
  const problem = (await createMasterKeyFile(waiting, text, like)) ?? (await giveAccess(waiting, like));
  if (problem) return err(problem);
  const next = await readMasterKeyFile(waiting, NEXT_FILE);
  if (!next.ok) return next;
  return ok({
    masterKey: next.value,
    placement: { kind: 'replaced', path: file, kept: kept.value },
    settle: () => moveMasterKeyFile(waiting, file),
  });
}

function leave(
  masterKey: MasterKey | undefined,
  path: string | undefined,
  because: string,
): Result<NextMasterKey, MasterKeyUnusable> {
  if (masterKey) {
    return ok({ masterKey, placement: { kind: 'left', path, because }, settle: async () => undefined });
  }
  return unusable(
    `this command cannot replace the master key (${because}): write a new one to a file with \`gatehouse key new-master > FILE\` (mode 0600), then run \`gatehouse key rewrap --new-master-key-file FILE\``,
  );
}

/**
 * Returns the next master key that an earlier attempt, or the operator, put beside the file; undefined if there is
 * none.
 */
async function readWaiting(
  path: string,
  file: string,
): Promise<Result<MasterKey | undefined, MasterKeyUnusable>> {
  const status = await stat(path, { throwIfNoEntry: false });
  if (status === undefined) return ok(undefined);
  const foreign = await foreignNextFile(file);
  return foreign === undefined ? readMasterKeyFile(path, NEXT_FILE) : unusable(foreign);
}

function textOf(masterKey: MasterKey): string {
  return Buffer.from(masterKey).toString('base64url');
}
