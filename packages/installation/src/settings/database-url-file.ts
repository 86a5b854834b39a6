import { err, ok, type Result } from '@gatehouse/domain';
import { DATABASE_URL_FORM, databaseUrlProblem } from '@gatehouse/postgres';
import { readSecretFile } from './secret-file.ts';

/** A file with the URL of a database. */
export interface DatabaseUrlFile {
  readonly path: string;
  /** The URL in the file when it was first read. */
  readonly url: string;
  /** Whether it can be read again; a pipe cannot. */
  readonly isRegular: boolean;
}

/**
 * Reads a file with the URL of a database. A problem never repeats the content of the file.
 *
 * @param known a URL that needs no check, because it was read before
 */
export function readDatabaseUrlFile(path: string, known?: string): Result<DatabaseUrlFile, string> {
  // Otherwise a message would repeat the password as the name of a file.
  if (path.includes('://')) return err('must be the name of a file, but is a URL');
  const read = readSecretFile(path, DATABASE_URL_FORM);
  if (!read.ok) return read;
  const { text: url, isRegular } = read.value;
  const problem = url === known ? undefined : databaseUrlProblem(url);
  return problem === undefined
    ? ok({ path, url, isRegular })
    : err(`names ${path}, and what it holds ${problem}`);
}
