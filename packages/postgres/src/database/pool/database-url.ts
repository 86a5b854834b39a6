import pg from 'pg';
import { tlsProblemOf } from './tls-parameters.ts';
import { mistakeIn } from './url-mistakes.ts';

/** The expected form, for messages. */
export const DATABASE_URL_FORM = 'a URL such as postgres://user:password@host:5432/database';

const NO_URL = `must be ${DATABASE_URL_FORM}`;

/**
 * Returns why this URL cannot be used; undefined if it can. The problem never repeats the URL, which may hold a
 * password.
 */
export function databaseUrlProblem(text: string): string | undefined {
  const mistake = mistakeIn(text);
  if (mistake !== undefined) return `${mistake}: it ${NO_URL}`;
  if (!/^postgres(ql)?:\/\//.test(text)) return NO_URL;
  try {
    // Reads the URL, and the certificates and keys that it names, as they will be read to connect; connects to nothing.
    return tlsProblemOf(text, new pg.Client({ connectionString: text }));
  } catch (error) {
    if (!(error instanceof Error) || isOfUrl(error)) return NO_URL;
    const problem =
      'syscall' in error ? 'names a file that cannot be read' : 'has parameters that cannot be used';
    return `${problem}: ${error.message}`;
  }
}

/** pg's other messages name a parameter and repeat its value at most. */
function isOfUrl(error: Error): boolean {
  return error instanceof URIError || ('code' in error && error.code === 'ERR_INVALID_URL');
}
