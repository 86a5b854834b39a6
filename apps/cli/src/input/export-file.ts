import { type FileHandle, open } from 'node:fs/promises';
import { type ExportAnchor, parseExportedLine } from '@gatehouse/domain/audit';
import { CommandError, usageError } from '../errors/command-error.ts';
import { quote } from '../output/printable.ts';

/** Longer than any line of an export. In characters. */
const MAX_LINE = 64 * 2 ** 20;

/** The end of a file in which its last seal is looked for: longer than the lines of one. In bytes. */
const TAIL = 64 * 2 ** 20;

/** Reads a file line by line, which may be of any size. A line ends with a line feed and nothing else. */
export async function* linesOfFile(path: string): AsyncGenerator<string> {
  const file = await openToRead(path);
  let rest = '';
  for await (const chunk of file.createReadStream({ encoding: 'utf8' })) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > MAX_LINE) throw usageError(`${quote(path)} is not an export of the audit log.`);
    yield* lines;
  }
  if (rest !== '') yield rest;
}

async function openToRead(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'r');
  } catch (error) {
    throw fileProblem(path, 'read', error);
  }
}

/** An export in a file that is to be continued. */
interface Continued {
  readonly file: FileHandle;
  /** Undefined if the file is new or empty. */
  readonly anchor: ExportAnchor | undefined;
}

/**
 * Opens a file to continue the export that it has, and creates it, only for its owner to read, if there is none. What an
 * interrupted export has written after its last seal is cut off.
 */
export async function continueExport(path: string): Promise<Continued> {
  const file = await open(path, 'a+', 0o600).catch((error) => {
    throw fileProblem(path, 'written', error);
  });
  try {
    const { size } = await file.stat();
    const start = Math.max(0, size - TAIL);
    const { buffer } = await file.read(Buffer.alloc(size - start), 0, size - start, start);
    for (let end = buffer.lastIndexOf('\n'); end >= 0; ) {
      const begin = end === 0 ? -1 : buffer.lastIndexOf('\n', end - 1);
      const line = parseExportedLine(buffer.toString('utf8', begin + 1, end));
      if (line.kind === 'seal') {
        await file.truncate(start + end + 1);
        return { file, anchor: line.seal };
      }
      end = begin;
    }
    if (size > 0) throw usageError(`${quote(path)} does not have the end of an export of the audit log.`);
    return { file, anchor: undefined };
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** Creates a file for an export, only for its owner to read. */
export async function newExport(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'wx', 0o600);
  } catch (error) {
    throw fileProblem(path, 'written', error);
  }
}

function fileProblem(path: string, what: 'read' | 'written', error: unknown): CommandError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
  if (code === 'EEXIST') {
    return new CommandError('conflict', `The file ${quote(path)} already exists and was not overwritten.`);
  }
  if (code === 'ENOENT' && what === 'read')
    return new CommandError('notFound', `There is no file ${quote(path)}.`);
  return new CommandError('fault', `The file ${quote(path)} cannot be ${what} (${code}).`, { cause: error });
}
