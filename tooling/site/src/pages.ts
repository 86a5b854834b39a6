import { globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The root of the repository, with a slash at its end. */
export const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** Below these, no Markdown file is a page. Patterns of files, from the root. */
export const NOT_PAGES = [
  '{apps,dist,tooling}/**',
  'packages/*/!(README|CHANGELOG).md',
  'packages/*/!(README.md|CHANGELOG.md)/**',
];

/** Maps the Markdown files that are pages to their places in the site: both are paths that end in `.md`. */
export function listPages(): ReadonlyMap<string, string> {
  const files = globSync(['*.md', 'docs/**/*.md', 'packages/*/{README,CHANGELOG}.md'], { cwd: ROOT });
  return new Map(files.toSorted().map((file) => [file, placeOf(file)]));
}

/**
 * Returns where a Markdown file is in the site. The README of the repository is the home page, and the README of a folder
 * is the folder's index.
 */
export function placeOf(file: string): string {
  if (file === 'README.md') return 'index.md';
  // The index of `docs` is a page of its own, because the home page has its place.
  if (file === 'docs/README.md') return 'docs.md';
  const ofPackage = file.match(/^packages\/([^/]+)\/(README|CHANGELOG)\.md$/);
  if (ofPackage !== null) {
    const [, name, kind] = ofPackage;
    return kind === 'README' ? `packages/${name}.md` : `packages/${name}-changelog.md`;
  }
  if (file.startsWith('docs/')) return file.slice('docs/'.length).replace(/(^|\/)README\.md$/, '$1index.md');
  return file.toLowerCase();
}
