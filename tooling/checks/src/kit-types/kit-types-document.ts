import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { emitKit } from '@gatehouse/build-kit';
import type { Declaration } from './declaration-file.ts';
import { publicTypes } from './public-types.ts';

const MANIFEST = new URL('../../../../packages/extension-kit/package.json', import.meta.url);

const HEAD = `# Types of the extension kit

Extensions compile against the package \`@gatehouse/extension-kit\`, the kit. This page lists the exports of each of its entry points, as the
compiler declares them. At the end, it lists all other types of Gatehouse that the exports refer to.

A change of a type may affect extensions, so each change has a line in the [changelog of the kit](../../packages/extension-kit/CHANGELOG.md).
\`npm run docs\` writes this page from the sources.`;

/** Returns docs/extend/kit-types.md, generated from the declarations that extensions compile against. */
export function kitTypesDocument(): string {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-kit-types-'));
  try {
    emitKit(folder);
    return print(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function print(folder: string): string {
  const types = publicTypes(folder);
  const { name, exports } = JSON.parse(readFileSync(MANIFEST, 'utf8'));
  const entries = Object.entries<string>(exports).map(([entry, path]) => ({
    title: join(name, entry),
    exported: types.exportsOf(join('extension-kit', path.replace(/\.ts$/, '.d.ts'))),
  }));
  const declared = entries.flatMap(({ exported }) =>
    [...exported.values()].filter((each) => each !== undefined),
  );
  const sections = entries.map(({ title, exported }) => {
    const ofLibraries = [...exported].filter(([, each]) => each === undefined).map(([each]) => `\`${each}\``);
    const also = ofLibraries.length > 0 ? `\nOf libraries: ${ofLibraries.join(', ')}.\n` : '';
    return `## ${title}\n${also}\n${code([...exported.values()].filter((each) => each !== undefined))}`;
  });
  const behind = Map.groupBy(types.behind(declared), ({ file }) => file.replace(/\.d\.ts$/, '.ts'));
  const files = [...behind].toSorted(([one], [other]) => (one < other ? -1 : 1));
  return [
    HEAD,
    ...sections,
    '## Types that these refer to',
    ...files.map(([file, declarations]) => `### ${file}\n\n${code(declarations)}`),
    '',
  ]
    .join('\n\n')
    .replace(/\n+$/, '\n');
}

function code(declarations: readonly Declaration[]): string {
  const texts = declarations.map(({ text }) => text.trim()).toSorted(byName);
  return `\`\`\`ts\n${[...new Set(texts)].join('\n\n')}\n\`\`\``;
}

const nameIn = (text: string) => /^(?:export )?(?:declare )?\w+ (\w+)/m.exec(text)?.[1] ?? '';

function byName(one: string, other: string): number {
  return nameIn(one) < nameIn(other) ? -1 : 1;
}
