import { join } from 'node:path';
import type { Names } from './names.ts';
import { renaming } from './rename.ts';
import { EXAMPLE, filesBelow, folderOf, read } from './workspace.ts';

/** The name of the resource in the copied package. */
export const EXAMPLE_NAMES: Names = { one: 'shift-note', several: 'shift-notes' };

/** The files of the new package: their texts by their paths from the root. */
export function copiedFiles(names: Names): ReadonlyMap<string, string> {
  const rename = renaming(EXAMPLE_NAMES, names);
  return new Map(
    filesBelow(EXAMPLE).map((path) => [
      join(folderOf(names.several), rename(path)),
      rename(read(join(EXAMPLE, path))),
    ]),
  );
}

/** Words that the code of the package uses for other things than its resource. */
export function identifiersOfExample(): ReadonlySet<string> {
  const sources = filesBelow(EXAMPLE).filter((path) => path.endsWith('.ts'));
  const code = sources.map((path) => read(join(EXAMPLE, path)).replaceAll(PROSE, '""')).join('\n');
  const rename = renaming(EXAMPLE_NAMES, { one: '', several: '' });
  return new Set(code.match(/[A-Za-z_$][\w$]*/g)?.filter((word) => rename(word) === word));
}

/** Comments and texts. */
const PROSE = /\/\*[\s\S]*?\*\/|\/\/.*|'(?:[^'\\\n]|\\.)*'|`[^`]*`/g;
