import { type FileHandle, open } from 'node:fs/promises';
import { CommandError } from '../errors/command-error.ts';
import { quote } from './printable.ts';

/** Creates a file that only its owner can read; before the secret, so that no secret is created that cannot be stored. */
export async function createSecretFile(path: string): Promise<FileHandle> {
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
