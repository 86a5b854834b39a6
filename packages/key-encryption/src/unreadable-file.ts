import { readlinkSync } from 'node:fs';
import { currentUser } from './private-files.ts';
import { reason, systemCode } from './system-errors.ts';

/**
 * Returns why a file cannot be read, in the words of the operating system where no others tell more; rethrows what is no
 * error of the system.
 */
export function whyUnreadable(path: string, error: unknown): string {
  const words = reason(error);
  const target = systemCode(error) === 'ENOENT' ? targetOf(path) : undefined;
  if (target !== undefined) return `it is a link to ${target}, which does not exist`;
  if (systemCode(error) === 'EISDIR') return 'it is a folder: name the file in it';
  return systemCode(error) === 'EACCES' ? `${words} to the user ${currentUser().name}` : words;
}

/** A link that leads nowhere is listed like a file, so "no such file" would be doubted. */
function targetOf(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}
