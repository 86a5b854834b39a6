import { closeSync, fstatSync, openSync, readFileSync, type Stats, statSync } from 'node:fs';
import { err, ok, type Result } from '@gatehouse/domain';
import { namedFileExposure } from '@gatehouse/key-encryption/private-files';
import { secretText } from '@gatehouse/key-encryption/secret-text';
import { whyUnreadable } from '@gatehouse/key-encryption/unreadable-file';

/** A secret that was read from a file or a pipe, without white space at its beginning and end. */
export interface Secret {
  readonly text: string;
  /** Whether the file can be read again; a pipe cannot. */
  readonly isRegular: boolean;
}

/**
 * The number of attempts to read a file. An attempt fails if a mounted Kubernetes Secret is replaced while it is read.
 */
const MAX_LOOKS = 3;

/**
 * Reads a file with a secret. The file must be private, or the result is an error. The text of an error continues a
 * sentence that begins with the name of the setting.
 *
 * @param expected a description of what the file must contain
 */
export function readSecretFile(path: string, expected: string): Result<Secret, string> {
  for (let looks = 1; ; looks += 1) {
    try {
      return readNow(path, expected);
    } catch (error) {
      const isGone = error instanceof Error && 'code' in error && error.code === 'ENOENT';
      if (isGone && looks < MAX_LOOKS) continue;
      return err(`names ${path}, which cannot be read: ${whyUnreadable(path, error)}`);
    }
  }
}

/** A value that was read from a file with a secret, and the path of that file. */
export interface FiledValue<Value> {
  readonly path: string;
  readonly value: Value;
  /** Whether the file can be read again; a pipe cannot. */
  readonly isRegular: boolean;
}

/** Reads and parses a file with a secret. The error never repeats what the file contains. */
export function readFiledValue<Value>(
  path: string,
  expected: string,
  parse: (text: string) => Result<Value, string>,
): Result<FiledValue<Value>, string> {
  const read = readSecretFile(path, expected);
  if (!read.ok) return read;
  const parsed = parse(read.value.text);
  return parsed.ok
    ? ok({ path, value: parsed.value, isRegular: read.value.isRegular })
    : err(`names ${path}, whose content ${parsed.error}`);
}

/**
 * Follows a file that may be replaced while the program runs. The returned function reads the file and returns its
 * value; if the file cannot be used, it returns the previous value.
 *
 * @param onProblem called with the reason when the file cannot be used. If each new attempt fails for the same reason,
 * it is not called again
 */
export function follow<Value>(
  first: Value,
  read: (previous: Value) => Result<Value, string>,
  onProblem: (problem: string) => void,
): () => Value {
  let [current, last] = [first, ''];
  return () => {
    const found = read(current);
    if (found.ok) current = found.value;
    else if (found.error !== last) onProblem(found.error);
    last = found.ok ? '' : found.error;
    return current;
  };
}

function readNow(path: string, expected: string): Result<Secret, string> {
  const found = statSync(path);
  if (found.isDirectory()) return err(`names ${path}, which is a folder: name the file in it`);
  // A pipe is checked before it is opened, because opening a pipe that another user created could wait forever.
  const danger = found.isFIFO() ? exposureOf(path, found) : undefined;
  if (danger !== undefined) return err(danger);
  const file = openSync(path, 'r');
  try {
    // The permissions of the opened file are checked, not those of the path, because another file may have replaced it.
    const status = fstatSync(file);
    const exposure = exposureOf(path, status);
    if (exposure !== undefined) return err(exposure);
    const text = decode(readFileSync(file)).trim();
    return text === ''
      ? err(`names ${path}, which is empty: it must contain ${expected}`)
      : ok({ text, isRegular: status.isFile() });
  } finally {
    closeSync(file);
  }
}

function exposureOf(path: string, status: Stats): string | undefined {
  const exposure = status.isFile() || status.isFIFO() ? namedFileExposure(path, status) : undefined;
  return exposure && `names a file that must be private: ${exposure}`;
}

/**
 * Decodes a file. Invalid UTF-8 is replaced by a character that no valid secret contains, so such a file is reported
 * like a file with an invalid secret.
 */
function decode(bytes: Buffer): string {
  try {
    return secretText(bytes);
  } catch {
    return bytes.toString('utf8');
  }
}
