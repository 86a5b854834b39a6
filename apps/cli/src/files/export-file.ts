import { type FileHandle, open, stat } from 'node:fs/promises';
import { type ExportEnd, parseExportedLine } from '@gatehouse/domain/audit';
import { CommandError, usageError } from '../errors/command-error.ts';
import { quotePath } from '../output/printable.ts';
import { codeOf, fileFault, openOwnFile } from './own-file.ts';

/** Maximum length of a line, in characters. Every line of an export is shorter. */
const MAX_LINE = 64 * 2 ** 20;

/**
 * How many bytes at the end of a file are searched for its last two seals: 1 MB, and if they are not found, 64 MB,
 * which is more than the events of a seal take.
 */
const TAILS = [2 ** 20, 64 * 2 ** 20];

/** Reads a file of any size line by line. Only a line feed ends a line. */
export async function* linesOfFile(path: string): AsyncGenerator<string> {
  const file = await openToRead(path);
  // The pieces of a line whose end has not been read. They are joined at the end of the line: joining after each piece
  // would take quadratic time.
  let begun: string[] = [];
  let length = 0;
  for await (const chunk of file.createReadStream({ encoding: 'utf8' })) {
    const [first = '', ...lines] = String(chunk).split('\n');
    begun.push(first);
    length += first.length;
    if (length > MAX_LINE) throw notAnExport(path);
    const rest = lines.pop();
    if (rest === undefined) continue;
    yield begun.join('');
    yield* lines;
    [begun, length] = [[rest], rest.length];
  }
  if (length > 0) yield begun.join('');
}

/**
 * Returns the seal on the last line of a file. The file is an export of the audit log, or has only a copy of its last
 * line.
 */
export async function anchorInFile(path: string): Promise<{ readonly last: number; readonly mac: string }> {
  let last = '';
  for await (const line of linesOfFile(path)) last = line;
  const line = parseExportedLine(last);
  if (line.kind === 'seal') return line.seal;
  throw usageError(
    `The last line of ${quotePath(path)} is not a seal: name an export of the audit log, or a copy of its last line.`,
  );
}

async function openToRead(path: string): Promise<FileHandle> {
  try {
    const found = await stat(path);
    if (found.isDirectory()) throw usageError(`${quotePath(path)} is a folder: name the file in it.`);
    const [user, { uid }] = [process.geteuid?.(), found];
    // Opening a pipe waits until another process opens it to write. Another user could let this command wait forever.
    if (found.isFIFO() && uid !== 0 && uid !== user) {
      throw usageError(`${quotePath(path)} is a pipe of another user (uid ${uid}): name a file.`);
    }
    return await open(path, 'r');
  } catch (error) {
    if (error instanceof CommandError) throw error;
    if (codeOf(error) === 'ENOENT')
      throw new CommandError('notFound', `There is no file ${quotePath(path)}.`);
    throw fileFault(path, 'read', error);
  }
}

/** An export that is continued in its file. */
interface Continued {
  readonly file: FileHandle;
  /** The last two seals of the file; undefined if the file is new or empty. */
  readonly end: ExportEnd | undefined;
  /**
   * The position in bytes at which the export continues: the end of the last seal. Lines after it, which an interrupted
   * command wrote, are cut off.
   */
  readonly size: number;
}

/**
 * Opens a file to continue the export in it. Creates the file, readable only by its owner, if there is none; does not
 * change an existing file.
 */
export async function openExport(path: string): Promise<Continued> {
  const file = await openOwnFile(path);
  try {
    const { size } = await file.stat();
    if (size === 0) return { file, end: undefined, size };
    for (const length of TAILS) {
      const start = Math.max(0, size - length);
      const { buffer, bytesRead } = await file.read(Buffer.alloc(size - start), 0, size - start, start);
      const found = endIn(buffer.subarray(0, bytesRead), start === 0);
      if (found === 'other lines') break;
      if (found) return { file, end: found.end, size: start + found.size };
    }
    throw usageError(
      `${quotePath(path)} is not an export of the audit log, or its end was changed: name another file, or one that does not exist yet.`,
    );
  } catch (error) {
    await file.close();
    throw error;
  }
}

/**
 * Finds the last seal of an export, and the lines of its events. If an export was interrupted, the beginning of the
 * lines for a next seal may follow; if anything else follows, returns 'other lines'. Returns undefined if the bytes do
 * not reach back to the previous seal.
 *
 * @param isAll whether the bytes are the whole file
 */
function endIn(bytes: Buffer, isAll: boolean): { end: ExportEnd; size: number } | 'other lines' | undefined {
  // The lines in `after` and in `sealed` are in reverse order, because the file is read from its end.
  const after = [bytes.toString('utf8', bytes.lastIndexOf('\n') + 1)];
  let sealed: { readonly lines: string[]; readonly size: number } | undefined;
  for (let end = bytes.lastIndexOf('\n'); end >= 0; ) {
    const begin = end === 0 ? -1 : bytes.lastIndexOf('\n', end - 1);
    // The first line of the bytes may be incomplete, because the bytes can begin in the middle of a line.
    if (begin < 0 && !isAll) return undefined;
    const text = bytes.toString('utf8', begin + 1, end);
    const line = parseExportedLine(text);
    if (line.kind === 'seal' && sealed)
      return { end: { lines: sealed.lines.toReversed(), isAll: false }, size: sealed.size };
    if (line.kind === 'seal') {
      if (!isInterrupted(after.toReversed(), line.seal.last)) return 'other lines';
      sealed = { lines: [text], size: end + 1 };
    } else if (sealed) sealed.lines.push(text);
    else if (line.kind === 'event') after.push(text);
    else return 'other lines';
    end = begin;
  }
  if (!sealed || !isAll) return undefined;
  return { end: { lines: sealed.lines.toReversed(), isAll }, size: sealed.size };
}

/** Whether an interrupted export can have written these lines after a seal whose last event has the position `last`. */
function isInterrupted(lines: readonly string[], last: number): boolean {
  const rest = lines.at(-1) ?? '';
  const begun = `{"position":${last + lines.length},`;
  const isBegun = [begun, '{"seal":{"first":'].some(
    (start) => rest.startsWith(start) || start.startsWith(rest),
  );
  return (
    isBegun &&
    lines.slice(0, -1).every((text, index) => {
      const line = parseExportedLine(text);
      return line.kind === 'event' && line.position === last + index + 1;
    })
  );
}

function notAnExport(path: string): CommandError {
  return usageError(`${quotePath(path)} is not an export of the audit log.`);
}
