import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** Returns the paths of the files that git knows or would add, by patterns from the root. */
export function listFiles(...patterns: readonly string[]): readonly string[] {
  const listed = ['ls-files', '--cached', '--others', '--exclude-standard', '--', ...patterns];
  const output = execFileSync('git', listed, { cwd: ROOT, encoding: 'utf8' });
  return [...new Set(output.split('\n'))].filter((path) => path !== '' && existsSync(ROOT + path));
}

/** Documents, by their paths from the root. */
export const listDocuments = (): readonly string[] =>
  // The frame of a generated page has links as that page has them.
  listFiles('*.md').filter((path) => path !== 'tooling/checks/src/cli-document.md');

export const textOf = (path: string): string => readFileSync(ROOT + path, 'utf8');

export interface Link {
  /** The path from the root, or the address of another site. */
  readonly path: string;
  readonly anchor: string | undefined;
}

/** Returns the links of a document to files of the repository: `[text](path#anchor)`, `href`, `src` and `srcset`. */
export function linksOf(text: string, document: string): readonly Link[] {
  const prose = withoutCode(text);
  const targets = [
    ...prose.matchAll(/\]\(([^)\s]+)\)/g),
    ...prose.matchAll(/\b(?:href|src|srcset)="([^"]+)"/g),
    ...prose.matchAll(/^\[[^\]]+\]: (\S+)$/gm),
  ].map(([, target = '']) => target);
  return targets
    .filter((target) => !/^[a-z]+:/.test(target))
    .map((target) => {
      const [path = '', anchor] = target.split('#');
      return { path: path === '' ? document : posix.join(posix.dirname(document), path), anchor };
    });
}

/** Returns the anchors of a document's headings, as GitHub makes them. */
export function anchorsOf(text: string): ReadonlySet<string> {
  const anchors = new Set<string>();
  for (const [, heading = ''] of withoutBlocks(text).matchAll(/^#{1,6} (.+)$/gm)) {
    const slug = slugOf(heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1'));
    let anchor = slug;
    for (let count = 1; anchors.has(anchor); count += 1) anchor = `${slug}-${count}`;
    anchors.add(anchor);
  }
  return anchors;
}

/** Returns the anchor of a heading's text as GitHub makes it, before it tells equal headings apart. */
export function slugOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\p{M} _-]/gu, '')
    .replaceAll(' ', '-');
}

/** Returns the links that lead nowhere, each as `document: target`. */
export function brokenLinks(documents: readonly string[], read = textOf): readonly string[] {
  return documents.flatMap((document) =>
    linksOf(read(document), document)
      .filter(({ path, anchor }) => {
        if (!existsSync(ROOT + path)) return true;
        return anchor !== undefined && path.endsWith('.md') && !anchorsOf(read(path)).has(anchor);
      })
      .map(({ path, anchor }) => `${document}: ${path}${anchor === undefined ? '' : `#${anchor}`}`),
  );
}

/** Returns the paths below `docs` that a text names and that do not exist. */
export function missingDocuments(text: string): readonly string[] {
  return [...text.matchAll(/(?<![\w/-])(?:\.\.\/)*(docs\/[\w.@/-]*\w)(?![\w*{$-])/g)]
    .map(([, path = '']) => path)
    .filter((path) => !existsSync(ROOT + path));
}

const withoutBlocks = (text: string): string => text.replaceAll(/^ *```[\s\S]*?^ *```$/gm, '');
const withoutCode = (text: string): string => withoutBlocks(text).replaceAll(/`[^`\n]*`/g, '');
