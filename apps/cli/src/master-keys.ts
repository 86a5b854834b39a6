import type { KeyEncryption, SigningKeyRepository } from '@gatehouse/domain/signing-keys';
import { checkMasterKey } from '@gatehouse/domain/signing-keys';
import { type Clock, formatInstant } from '@gatehouse/domain/time';
import {
  createFollowingKeyEncryption,
  createKeyEncryption,
  type MasterKeyPlacement,
  prepareNextMasterKey,
} from '@gatehouse/key-encryption';
import { type Database, describeHolders, type LockHolder, whileLocked } from '@gatehouse/postgres';
import { CommandError, usageError } from './errors/command-error.ts';
import { refusal } from './errors/refusals.ts';
import { type Prepared, requireMasterKey } from './prepare.ts';
import type { PlacedMasterKeys } from './use-cases.ts';

interface MasterKeysOptions {
  readonly signingKeys: SigningKeyRepository;
  readonly clock: Clock;
  readonly prepared: Prepared;
  readonly database: Database;
  /** Prints a line for the user. */
  readonly warn: (text: string) => void;
}

/** The number of the advisory lock that one replacement of the master key holds. The number is arbitrary. */
const REPLACEMENT_LOCK = 7_273_664;

/**
 * Replaces the master key in its file, and keeps the old master key in another file beside it. If the master key is not
 * in a file, the operator has to replace it.
 */
export function createMasterKeys(options: MasterKeysOptions): PlacedMasterKeys {
  const { prepared, database, signingKeys, clock, warn } = options;
  const given = prepared.newMasterKey;
  let placement: MasterKeyPlacement | undefined;
  return {
    placement: () => placement,
    async replace(work) {
      const replaceAlone = async () => {
        const loaded = await requireMasterKey(prepared, signingKeys);
        const current = createFollowingKeyEncryption(loaded, clock);
        // If the signing keys cannot be decrypted, the next master key is not stored in a file. On a machine with a
        // wrong master key, every later attempt would continue with the stored one.
        const checked = await checkMasterKey({
          signingKeys,
          encryption: given ? eitherOf(createKeyEncryption({ masterKey: given }), current) : current,
        });
        if (!checked.ok) throw refusal(checked.error);
        const day = formatInstant(clock.now()).slice(0, 10);
        const next = await prepareNextMasterKey({ file: loaded.file, given, day });
        if (!next.ok) throw usageError(`${next.error.message}.`);
        placement = next.value.placement;
        return work({
          current,
          next: createKeyEncryption({ masterKey: next.value.masterKey }),
          async complete() {
            const problem = await next.value.settle();
            if (problem) throw new CommandError('fault', `${problem.message}.`);
          },
        });
      };
      const onLongWait = (holders: readonly LockHolder[]) =>
        warn(`waiting, because another session is replacing the master key: ${describeHolders(holders)}`);
      // Without the lock, two replacements at the same time could overwrite the master key in use.
      return whileLocked(database, REPLACEMENT_LOCK, replaceAlone, { onLongWait });
    },
  };
}

/**
 * Decrypts with the given master key, or else with the current one. Another machine or an interrupted attempt may have
 * encrypted the signing keys with the given master key already.
 */
function eitherOf(given: KeyEncryption, current: KeyEncryption): KeyEncryption {
  return {
    seal: current.seal,
    async open(sealed, id) {
      const opened = await given.open(sealed, id);
      return opened.ok ? opened : current.open(sealed, id);
    },
  };
}
