import { resolve } from 'node:path';
import type { Clock, KeyEncryption, SigningKeyRepository } from '@gatehouse/domain';
import {
  createFollowingKeyEncryption,
  type LoadedMasterKey,
  type LoadMasterKeyOptions,
  loadMasterKey,
  masterKeySettings,
} from '@gatehouse/key-encryption';
import { z } from 'zod';
import { CommandError } from './errors/command-error.ts';
import { EXIT } from './errors/exit-status.ts';
import { describe, type Environment, type Settings, withoutEmpty } from './settings.ts';

export interface KeyEncryptionPorts {
  readonly signingKeys: SigningKeyRepository;
  readonly clock: Clock;
}

/** Loads the master key. Only commands that sign or seal come here, so the others do without it. */
export async function openKeyEncryption(
  settings: Settings,
  environment: Environment,
  { signingKeys, clock }: KeyEncryptionPorts,
): Promise<KeyEncryption> {
  const loaded = await load(masterKeyOptions(settings, environment), signingKeys);
  return createFollowingKeyEncryption(loaded, clock);
}

/** Where the settings say that the master key is. */
export function masterKeyOptions(
  { DATABASE_URL, GATEHOUSE_DATA_DIR }: Settings,
  environment: Environment,
): LoadMasterKeyOptions {
  const parsed = z.object(masterKeySettings).safeParse(withoutEmpty(environment));
  if (!parsed.success) throw masterKeyUnusable(describe(parsed.error));
  return {
    ...parsed.data,
    ...(DATABASE_URL === undefined && { dataDir: resolve(GATEHOUSE_DATA_DIR) }),
  };
}

async function load(
  options: LoadMasterKeyOptions,
  signingKeys: SigningKeyRepository,
): Promise<LoadedMasterKey> {
  // With keys at rest, one that is missing was lost; a new one would only hide that.
  const mayCreate = (await signingKeys.list()).length === 0;
  const loaded = await loadMasterKey({ ...options, mayCreate });
  if (!loaded.ok) throw masterKeyUnusable(loaded.error.message);
  return loaded.value;
}

export function masterKeyUnusable(message: string): CommandError {
  return new CommandError(EXIT.fault, `${message}.`);
}
