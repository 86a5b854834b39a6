import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';

/**
 * Returns what is wrong with a built site, one line for each fault: a link or picture that leads to no file, an anchor
 * that its page does not have, a file of another host, a script or style in a page, a page without a title.
 * @param base the path of the site on its host, with slashes around it
 */
export function siteFaults(folder: string, base: string): readonly string[] {
  const files = new Map<string, string>();
  const read = (path: string): string => {
    const text = files.get(path) ?? readFileSync(join(folder, path), 'utf8');
    files.set(path, text);
    return text;
  };
  const pages = globSync('**/*.html', { cwd: folder }).toSorted();
  const styles = globSync('**/*.css', { cwd: folder });
  return [
    ...pages.flatMap((page) => pageFaults(page, read(page)).map((fault) => `${page}: ${fault}`)),
    ...styles
      .filter((path) => /url\(["']?(?:https?:)?\/\//.test(read(path)))
      .map((path) => `${path}: another host`),
  ];

  function pageFaults(page: string, html: string): readonly string[] {
    const title =
      html
        .match(/<title>([^<]*)<\/title>/)?.[1]
        ?.split(' · ')[0]
        ?.trim() ?? '';
    return [
      ...(title === '' ? ['no title'] : []),
      ...(/<script(?![^>]* src=)[^>]*>|<style/.test(html) ? ['a script or style in the page'] : []),
      ...linksOf(html).flatMap((link) => linkFault(page, link)),
    ];
  }

  function linkFault(page: string, { tag, url }: Link): readonly string[] {
    if (/^(?:[a-z]+:)?\/\//i.test(url)) return tag === 'a' ? [] : [`another host: ${url}`];
    if (/^(?:mailto|data):/.test(url)) return [];
    const [path = '', anchor] = decodeURI(url).split('#');
    const target = fileOf(page, path);
    if (target === undefined) return [`leads nowhere: ${url}`];
    if (anchor === undefined || anchor === '' || !target.endsWith('.html')) return [];
    return idsOf(read(target)).has(anchor) ? [] : [`no such anchor: ${url}`];
  }

  /** The file that a static host would send. */
  function fileOf(page: string, path: string): string | undefined {
    if (path.startsWith('/') && !path.startsWith(base)) return undefined;
    const inSite = path.startsWith('/') ? path.slice(base.length) : posix.join(posix.dirname(page), path);
    const file = path === '' ? page : /(?:^|\/)$/.test(inSite) ? `${inSite}index.html` : inSite;
    return existsSync(join(folder, file)) && statSync(join(folder, file)).isFile() ? file : undefined;
  }
}

interface Link {
  readonly tag: string;
  readonly url: string;
}

/** The addresses in a page, which Vue writes with double quotes. */
function linksOf(html: string): readonly Link[] {
  return [...html.matchAll(/<([a-z]+)((?:\s+[^\s=>]+(?:="[^"]*")?)*)\s*\/?>/g)].flatMap(
    ([, tag = '', attributes = '']) =>
      [...attributes.matchAll(/\s(?:href|src|srcset)="([^"]*)"/g)].map(([, url = '']) => ({
        tag,
        url: url.replaceAll('&amp;', '&'),
      })),
  );
}

const ids = new Map<string, ReadonlySet<string>>();

function idsOf(html: string): ReadonlySet<string> {
  const found = ids.get(html) ?? new Set([...html.matchAll(/\sid="([^"]+)"/g)].map(([, id = '']) => id));
  ids.set(html, found);
  return found;
}
