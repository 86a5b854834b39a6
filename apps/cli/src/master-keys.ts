import type { MasterKeys } from '@gatehouse/domain';
import { createKeyEncryption, prepareNextMasterKey } from '@gatehouse/key-encryption';
import { type Database, whileLocked } from '@gatehouse/postgres';
import { usageError } from './errors/command-error.ts';
import {
  type KeyEncryptionPorts,
  masterKeyOptions,
  masterKeyUnusable,
  openKeyEncryption,
} from './key-encryption.ts';
import type { Environment, Settings } from './settings.ts';

/** Where a master key is kept that takes the place of another. */
export interface PlacedMasterKeys extends MasterKeys {
  /** The file that then has it; undefined where the settings give it, which only their owner changes. */
  readonly path: () => string | undefined;
}

export interface MasterKeysOptions extends KeyEncryptionPorts {
  readonly settings: Settings;
  readonly environment: Environment;
  readonly database: Database;
  /** Holds the new master key; undefined where one is to be made. */
  readonly newKeyFile: string | undefined;
}

/** Any number that nothing else locks. */
const REPLACEMENT_LOCK = 7_273_664;

/** Replaces the master key in the data folder; one that the settings give is replaced by their owner. */
export function createMasterKeys(options: MasterKeysOptions): PlacedMasterKeys {
  const { settings, environment, database, newKeyFile } = options;
  let path: string | undefined;
  return {
    path: () => path,
    async replace(work) {
      const { GATEHOUSE_MASTER_KEY, GATEHOUSE_MASTER_KEY_FILE, dataDir } = masterKeyOptions(
        settings,
        environment,
      );
      const isGiven = (GATEHOUSE_MASTER_KEY ?? GATEHOUSE_MASTER_KEY_FILE) !== undefined;
      const replaceable = isGiven ? undefined : dataDir;
      if (replaceable === undefined && newKeyFile === undefined) throw usageError(GIVE_A_FILE);
      // Of two at once, the second might move the file of the first over the key that opens everything.
      return whileLocked(database, REPLACEMENT_LOCK, async () => {
        const current = await openKeyEncryption(settings, environment, options);
        const prepared = await prepareNextMasterKey({ dataDir: replaceable, file: newKeyFile });
        if (!prepared.ok) throw masterKeyUnusable(prepared.error.message);
        const next = prepared.value;
        path = next.path;
        return work({
          current,
          next: createKeyEncryption({ masterKey: next.masterKey }),
          async complete() {
            const problem = await next.settle();
            if (problem) throw masterKeyUnusable(problem.message);
          },
        });
      });
    },
  };
}

const GIVE_A_FILE =
  'Give the new master key in a file: `gatehouse key new-master > FILE`, then `gatehouse key rewrap --new-master-key-file FILE`.';
