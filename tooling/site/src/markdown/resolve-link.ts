import { posix } from 'node:path';

/** Where a link of a Markdown file leads. */
export type Target =
  /** Another site, a mail address, or a heading of the same page. */
  | { readonly kind: 'as-written' }
  /** `href` begins at the root of the site and ends in `.md`, before its anchor. */
  | { readonly kind: 'page'; readonly href: string }
  /** A file that the site has a copy of; `place` is its path there. */
  | { readonly kind: 'file'; readonly path: string; readonly place: string }
  /** A source or a folder, which only the repository has. */
  | { readonly kind: 'source'; readonly path: string };

/**
 * Resolves a link as GitHub does: relative to its file.
 * @param file the Markdown file with the link, from the root of the repository
 * @param pages all pages, with their places in the site
 * @param isFile whether a path from the root is a file
 */
export function resolveLink(
  href: string,
  file: string,
  pages: ReadonlyMap<string, string>,
  isFile: (path: string) => boolean,
): Target {
  if (href.startsWith('#') || /^[a-z][a-z+.-]*:/i.test(href)) return { kind: 'as-written' };
  const [path = '', anchor] = href.split('#');
  const source = posix.normalize(posix.join(posix.dirname(file), decodeURI(path)));
  const place = pages.get(source);
  if (place !== undefined) {
    return { kind: 'page', href: `/${place}${anchor === undefined ? '' : `#${anchor}`}` };
  }
  if (source.startsWith('docs/') && isFile(source)) {
    return { kind: 'file', path: source, place: source.slice('docs/'.length) };
  }
  return { kind: 'source', path: source };
}
