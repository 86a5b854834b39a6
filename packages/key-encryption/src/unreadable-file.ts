import { readlinkSync } from 'node:fs';
import { currentUser } from './private-files.ts';
import { reason, systemCode } from './system-errors.ts';

/**
 * Returns why a file cannot be read: an explanation for some errors, and otherwise the operating system's message.
 * Rethrows an error that does not come from the operating system.
 */
export function whyUnreadable(path: string, error: unknown): string {
  const words = reason(error);
  const target = systemCode(error) === 'ENOENT' ? targetOf(path) : undefined;
  if (target !== undefined) return `it is a link to ${target}, which does not exist`;
  if (systemCode(error) === 'EISDIR') return 'it is a folder: name the file in it';
  return systemCode(error) === 'EACCES' ? `${words} to the user ${currentUser().name}` : words;
}

/**
 * Returns the target of a symbolic link; undefined if the path is no link. `ls` lists a link to a missing file like a
 * file, so an operator would not believe the message "no such file".
 */
function targetOf(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}
