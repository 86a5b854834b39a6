import { type DirectorySize, directorySize, fillDirectory, fillTokens } from '../../population/directory.ts';
import { openWithKeys, type Store } from '../../population/store.ts';
import type { Stage } from '../../stage.ts';

/** A database with a number of tokens and organizations. */
export interface FilledDatabase {
  readonly stored: number;
  readonly size: DirectorySize;
  readonly store: Store;
}

export async function fillDatabase(stage: Stage, stored: number): Promise<FilledDatabase> {
  const size = directorySize(stored);
  const store = await openWithKeys(await stage.createDatabase(`stored_${stored}`), stage.masterKey);
  await fillDirectory(store.url, size);
  await fillTokens(store.url, stored, size);
  return { stored, size, store };
}
