import { type Names, spellings } from './names.ts';
import { read } from './workspace.ts';

export const LIST = 'packages/extensions/src/index.ts';
export const MANIFEST = 'packages/extensions/package.json';

/** Returns the files that name the extensions of the installation, with one more extension: texts by paths. */
export function registered({ several }: Names): ReadonlyMap<string, string> {
  return new Map([
    [LIST, withEntry(read(LIST), several)],
    [MANIFEST, withDependency(read(MANIFEST), several)],
  ]);
}

/** The lines that are added to existing files. */
export function linesOf({ several }: Names): Readonly<Record<string, string>> {
  return {
    [LIST]: `${importOf(several)} and ${spellings.camel(several)} in EXTENSIONS`,
    [MANIFEST]: `"@gatehouse/${several}": "workspace:*"`,
  };
}

const importOf = (several: string) => `import { ${spellings.camel(several)} } from '@gatehouse/${several}';`;

const ENTRIES = /(?<head>EXTENSIONS: readonly Extension\[\] = \[)(?<entries>[^\]]*?),?\s*\]/;

function withEntry(text: string, several: string): string {
  const lastImport = text.lastIndexOf('\nimport ') + 1;
  const end = text.indexOf('\n', text.indexOf(" from '", lastImport)) + 1;
  const imported = `${text.slice(0, end)}${importOf(several)}\n${text.slice(end)}`;
  if (!ENTRIES.test(text))
    throw new TypeError(`${LIST} has no list EXTENSIONS: readonly Extension[] = [...]`);
  return imported.replace(ENTRIES, (_, head: string, entries: string) => {
    const separator = entries.trim() === '' ? '' : ', ';
    return `${head}${entries}${separator}${spellings.camel(several)}]`;
  });
}

function withDependency(text: string, several: string): string {
  const manifest = JSON.parse(text);
  const dependencies = { ...manifest.dependencies, [`@gatehouse/${several}`]: 'workspace:*' };
  manifest.dependencies = Object.fromEntries(
    Object.entries(dependencies).toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

/** Returns the texts of these files without any extension, and the packages of the removed extensions. */
export function withoutEntries(list: string, manifest: string) {
  const parsed = JSON.parse(manifest);
  const entries = ENTRIES.exec(list)?.groups?.entries?.split(/[,\s]+/) ?? [];
  const imports = [...list.matchAll(/^import \{ (\w+) \} from '(.+)';\n/gm)]
    .filter(([, name = '']) => entries.includes(name))
    .map(([line, , from = '']) => ({ line, from }));
  const taken = imports.map(({ from }) => from);
  const kept = Object.entries(parsed.dependencies).filter(([name]) => !taken.includes(name));
  return {
    list: imports.reduce((text, { line }) => text.replace(line, ''), list).replace(ENTRIES, '$<head>]'),
    manifest: `${JSON.stringify({ ...parsed, dependencies: Object.fromEntries(kept) }, null, 2)}\n`,
    taken,
  };
}
