import {
  checkMasterKey,
  type KeyEncryption,
  type MasterKeys,
  type SigningKeyRepository,
} from '@gatehouse/domain/signing-keys';
import { type Clock, formatInstant } from '@gatehouse/domain/time';
import {
  createFollowingKeyEncryption,
  createKeyEncryption,
  type MasterKeyPlacement,
  prepareNextMasterKey,
} from '@gatehouse/key-encryption';
import { type Database, describeHolders, type LockHolder, whileLocked } from '@gatehouse/postgres';
import { CommandError, usageError } from './errors/command-error.ts';
import { EXIT } from './errors/exit-status.ts';
import { refusal } from './errors/refusals.ts';
import type { Prepared } from './prepare.ts';
import { requireMasterKey } from './require-master-key.ts';

/** Where a master key is kept that takes the place of another. */
export interface PlacedMasterKeys extends MasterKeys {
  /** Known once a replacement has begun. */
  readonly placement: () => MasterKeyPlacement | undefined;
}

interface MasterKeysOptions {
  readonly signingKeys: SigningKeyRepository;
  readonly clock: Clock;
  readonly prepared: Prepared;
  readonly database: Database;
  /** Takes a line for the person at the command line. */
  readonly warn: (text: string) => void;
}

/** Any number that nothing else locks. */
const REPLACEMENT_LOCK = 7_273_664;

/** Replaces the master key in its file, and keeps the old one beside it; without a file, its owner replaces it. */
export function createMasterKeys(options: MasterKeysOptions): PlacedMasterKeys {
  const { prepared, database, signingKeys, clock, warn } = options;
  const { newMasterKey: given } = prepared;
  let placement: MasterKeyPlacement | undefined;
  return {
    placement: () => placement,
    async replace(work) {
      const replaceAlone = async () => {
        const loaded = await requireMasterKey(prepared, signingKeys);
        const current = createFollowingKeyEncryption(loaded, clock);
        // Where the keys do not open, none is stored as the next one, whether made or given: on a machine that has not
        // got the one in use, it would be a second one, which every later attempt takes up.
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
            if (problem) throw new CommandError(EXIT.fault, `${problem.message}.`);
          },
        });
      };
      const onLongWait = (holders: readonly LockHolder[]) =>
        warn(`waiting for the rewrap lock held by ${describeHolders(holders)}`);
      // Of two at once, the second might move the file of the first over the key that opens everything.
      return whileLocked(database, REPLACEMENT_LOCK, replaceAlone, { onLongWait });
    },
  };
}

/** The keys are under the one that is given already where another machine was first, or an attempt was interrupted. */
function eitherOf(given: KeyEncryption, current: KeyEncryption): KeyEncryption {
  return {
    seal: current.seal,
    async open(sealed, id) {
      const opened = await given.open(sealed, id);
      return opened.ok ? opened : current.open(sealed, id);
    },
  };
}
