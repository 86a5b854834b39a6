import { constants, type Stats } from 'node:fs';
import { type FileHandle, lstat, open, rm } from 'node:fs/promises';
import { CommandError, usageError } from '../errors/command-error.ts';
import { quotePath } from '../output/printable.ts';

/** Flags to open an existing file. They do not follow a symbolic link, and do not wait for the other end of a pipe. */
const EXISTING = constants.O_RDWR | constants.O_APPEND | constants.O_NOFOLLOW | constants.O_NONBLOCK;
const NEW = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | constants.O_EXCL;

/** A file that was just created. */
interface NewFile {
  readonly handle: FileHandle;
  /** Closes the file, and removes it unless another file has replaced it. */
  readonly discard: () => Promise<void>;
}

/**
 * Creates a file that only its owner can read and write. Never opens an existing file, nor the target of a link.
 *
 * @throws CommandError `conflict` if the path exists
 */
export async function createOwnFile(path: string): Promise<NewFile> {
  const handle = await open(path, NEW, 0o600).catch((error) => {
    if (codeOf(error) === 'EEXIST') {
      throw new CommandError(
        'conflict',
        `The file ${quotePath(path)} already exists and was not overwritten.`,
      );
    }
    throw fileFault(path, 'created', error);
  });
  const { dev, ino } = await handle.stat();
  const discard = async () => {
    await handle.close();
    const found = await lstat(path).catch(() => undefined);
    if (found?.dev === dev && found.ino === ino) await rm(path, { force: true });
  };
  return { handle, discard };
}

/**
 * Opens a file to read it and to append to it, or creates it. If other users can write in the folder, another user may have
 * put the file there. So the file must be regular, have one name, and belong to the user of this process, and no other
 * user may write to it. The opened file is checked, because the file at the path could be replaced after a check.
 *
 * @throws CommandError `usage` if the file may be another user's; nothing was changed
 */
export async function openOwnFile(path: string): Promise<FileHandle> {
  const found = await lstat(path).catch(() => undefined);
  if (found === undefined) return (await createOwnFile(path)).handle;
  // The file is also checked before it is opened, because opening a device can have side effects.
  const problem = foreignness(path, found);
  if (problem !== undefined) throw usageError(problem);
  const file = await open(path, EXISTING).catch((error) => {
    throw fileFault(path, 'written', error);
  });
  const replaced = foreignness(path, await file.stat());
  if (replaced === undefined) return file;
  await file.close();
  throw usageError(replaced);
}

/** Says why another user may have put a file there, and what to do instead; undefined if the file is safe. */
function foreignness(path: string, found: Stats): string | undefined {
  const named = quotePath(path);
  const another = 'or name a file that does not exist yet, which the command creates';
  if (found.isSymbolicLink())
    return `${named} is a symbolic link, which is not followed: name the file itself, ${another}.`;
  if (!found.isFile()) return `${named} is not a regular file: name one, ${another}.`;
  const user = process.geteuid?.();
  if (user !== undefined && found.uid !== user) {
    return `${named} belongs to another user (uid ${found.uid}), who can read and change what is written to it: run this as that user, ${another}.`;
  }
  if ((found.mode & 0o022) !== 0) {
    const mode = (found.mode & 0o7777).toString(8).padStart(4, '0');
    return `Other users can write to ${named} (mode ${mode}): if only you wrote to it, run \`chmod go-w\` on it, ${another}.`;
  }
  if (found.nlink > 1) {
    return `${named} has ${found.nlink} names (hard links), so another program may use the same file: copy it, and name the copy, ${another}.`;
  }
  return undefined;
}

/** The error of a file that cannot be used, with the code of the system, such as EACCES. */
export function fileFault(path: string, what: 'created' | 'read' | 'written', cause: unknown): CommandError {
  return new CommandError('fault', `The file ${quotePath(path)} cannot be ${what} (${codeOf(cause)}).`, {
    cause,
  });
}

export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
}
