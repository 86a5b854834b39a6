import { access, mkdir, readFile, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { getSystemErrorMessage } from 'node:util';
import { err, type Result } from '@gatehouse/domain';
import {
  createMasterKey,
  type MasterKey,
  type MasterKeyProblem,
  masterKeyProblem,
  parseMasterKey,
} from './master-key.ts';
import { synchronize, systemCode, writeOnce } from './write-once.ts';

/** Reads a file that holds a master key and, perhaps, a line feed. */
export async function readMasterKeyFile(path: string): Promise<Result<MasterKey, MasterKeyProblem>> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    return err(masterKeyProblem(`${path} cannot be read: ${reason(error)}`));
  }
  const parsed = parseMasterKey(text.trim());
  return parsed.ok
    ? parsed
    : err(masterKeyProblem(`${path} holds no master key: it ${parsed.error.message}`));
}

/** Where the master key waits that is to take the place of the one in this file. */
export function nextMasterKeyPath(path: string): string {
  return `${path}.new`;
}

/**
 * Those that can be read of the file and of the one that is to take its place. In this order: whichever moment
 * it is at, one that replaces the other is not missed.
 */
export async function readMasterKeyFiles(path: string): Promise<readonly MasterKey[]> {
  const next = await readMasterKeyFile(nextMasterKeyPath(path));
  const current = await readMasterKeyFile(path);
  return [current, next].flatMap((found) => (found.ok ? [found.value] : []));
}

/**
 * Puts a new master key where there is no file yet, readable by its owner only and durable on return. Of
 * several that try at once, one does; a file that is there is never touched.
 */
export async function createMasterKeyFile(
  path: string,
  text = createMasterKey(),
): Promise<MasterKeyProblem | undefined> {
  const folder = dirname(path);
  try {
    if (await exists(path)) return undefined;
    await mkdir(folder, { recursive: true });
    await writeOnce(path, `${text}\n`);
    return undefined;
  } catch (error) {
    return masterKeyProblem(`a master key cannot be stored in ${folder}: ${reason(error)}`);
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    await access(path);
    return true;
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return false;
    throw error;
  }
}

/** Makes the file the one of another name, durably: whoever reads that one reads the old or the new, never neither. */
export async function moveMasterKeyFile(from: string, to: string): Promise<MasterKeyProblem | undefined> {
  try {
    await rename(from, to);
    await synchronize(dirname(to));
    return undefined;
  } catch (error) {
    return masterKeyProblem(`${from} cannot be renamed to ${to}: ${reason(error)}`);
  }
}

/** What the operating system said; anything else is a fault. */
function reason(error: unknown): string {
  if (error instanceof Error && 'errno' in error && typeof error.errno === 'number') {
    return getSystemErrorMessage(error.errno);
  }
  throw error;
}
