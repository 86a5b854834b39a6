import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { applyEdit, type Edit } from '@gatehouse/mutations';
import type { Settings } from './node.ts';

const HOOK = new URL('edited-sources.ts', import.meta.url).href;
const ROOT = fileURLToPath(new URL('../../../../../', import.meta.url));

let sources: readonly string[] | undefined;

/**
 * Returns the settings of a server without a protection, for a sabotage twin: the server loads its sources with these
 * edits. A file is named by the end of its path.
 *
 * @throws Error if an edit fits no source: a server would then be tested with its protection
 */
export function sabotage(...edits: readonly Edit[]): Settings {
  for (const edit of edits) applyEdit(readFileSync(sourceOf(edit.file), 'utf8'), edit);
  return { NODE_OPTIONS: `--import=${HOOK}`, SABOTAGE: JSON.stringify(edits) };
}

function sourceOf(end: string): string {
  sources ??= globSync('{apps,packages,tooling}/*/{src,bin}/**/*.{ts,js}', { cwd: ROOT }).map((path) =>
    join(ROOT, path),
  );
  const found = sources.filter((path) => path.endsWith(end));
  if (found.length !== 1) throw new Error(`${found.length} sources end with ${end}: a twin edits one`);
  return found[0] as string;
}
