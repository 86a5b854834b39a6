import { access, mkdir, readFile } from 'node:fs/promises';
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
import { systemCode, writeOnce } from './write-once.ts';

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

/**
 * Puts a new master key where there is no file yet, readable by its owner only and durable on return. Of
 * several that try at once, one does; a file that is there is never touched.
 */
export async function createMasterKeyFile(path: string): Promise<MasterKeyProblem | undefined> {
  const folder = dirname(path);
  try {
    if (await exists(path)) return undefined;
    await mkdir(folder, { recursive: true });
    await writeOnce(path, `${createMasterKey()}\n`);
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

/** What the operating system said; anything else is a fault. */
function reason(error: unknown): string {
  if (error instanceof Error && 'errno' in error && typeof error.errno === 'number') {
    return getSystemErrorMessage(error.errno);
  }
  throw error;
}
