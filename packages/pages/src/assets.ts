import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Endpoint, Header } from '@gatehouse/http';
import { PROBLEM_ANSWERS } from '@gatehouse/http';

const TYPES = { css: 'text/css; charset=utf-8', js: 'text/javascript; charset=utf-8', svg: 'image/svg+xml' };

/** Every file that pages load. */
const FILES = ['style.css', 'reference.css', 'icon.svg', 'copy.js', 'first-use.js', 'send-once.js'] as const;

export type AssetName = (typeof FILES)[number];

const ASSETS = Object.fromEntries(FILES.map((name) => [name, readAsset(name)])) as Record<
  AssetName,
  ReturnType<typeof readAsset>
>;

/** Reads a file. Its path contains a hash of the text, so that another version has another path. */
function readAsset(name: AssetName) {
  const written = readFileSync(new URL(`assets/${name}`, import.meta.url), 'utf8');
  const text = name.endsWith('.css') ? compact(written) : written;
  const [stem, extension] = name.split('.') as [string, keyof typeof TYPES];
  const path = `/assets/${stem}-${hash('sha256', text, 'hex').slice(0, 12)}.${extension}`;
  return { path, type: TYPES[extension], text };
}

/** Removes comments and needless white space from a stylesheet. Its strings must not contain any of these characters. */
function compact(style: string): string {
  return style
    .replace(/\/\*.*?\*\//gs, '')
    .replace(/\s+/g, ' ')
    .replace(/ ?([{};,>]) ?/g, '$1')
    .replaceAll(': ', ':')
    .replaceAll(';}', '}');
}

/** Returns the path at which browsers find a file. */
export const assetPath = (name: AssetName): string => ASSETS[name].path;

const FOREVER = 'public, max-age=31536000, immutable';

/**
 * Serves the files. During an update, a page of one version may ask a server of another version for its files. The hash in the path
 * then differs, and the server returns its own version, uncached.
 */
export const assetEndpoints: Readonly<Record<string, Endpoint>> = {
  '/assets/:name': {
    GET: ({ params }) => {
      const asked = params.name ?? '';
      const asset = Object.values(ASSETS).find(
        ({ path }) => withoutHash(path) === withoutHash(`/assets/${asked}`),
      );
      if (!asset) return PROBLEM_ANSWERS.not_found;
      const caching: Header = ['cache-control', asset.path === `/assets/${asked}` ? FOREVER : 'no-store'];
      const headers: Header[] = [['content-type', asset.type], caching, SAME_ORIGIN];
      return { status: 200, headers, body: asset.text, isSameOrigin: true };
    },
  },
};

const SAME_ORIGIN: Header = ['cross-origin-resource-policy', 'same-origin'];

function withoutHash(path: string): string {
  return path.replace(/-[0-9a-f]{12}(?=\.[a-z]+$)/, '');
}
