import { type FileHandle, open, rm } from 'node:fs/promises';
import { CommandError } from '../errors/command-error.ts';
import { quote } from './printable.ts';

/** A new file that only its owner can read, with the secret and no newline. */
export interface SecretFile {
  /** Rejects unless the secret is durably stored. */
  write(secret: string): Promise<void>;
  remove(): Promise<void>;
}

/** Creates the file before the secret, so that no secret is created that cannot be stored. */
export async function createSecretFile(path: string): Promise<SecretFile> {
  const file = await create(path);
  return {
    async write(secret) {
      await file.writeFile(secret);
      await file.sync();
      await file.close();
    },
    async remove() {
      await file.close();
      await rm(path, { force: true });
    },
  };
}

async function create(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'wx', 0o600);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
    if (error.code === 'EEXIST') {
      throw new CommandError('conflict', `The file ${quote(path)} already exists and was not overwritten.`);
    }
    const message = `The file ${quote(path)} cannot be created (${error.code}).`;
    throw new CommandError('fault', message, { cause: error });
  }
}
