import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type Endpoint, type Header, PROBLEM_ANSWERS } from '@gatehouse/http';

const TYPES = { css: 'text/css; charset=utf-8', js: 'text/javascript; charset=utf-8', svg: 'image/svg+xml' };

/** The files that pages load. */
const FILES = [
  'style.css',
  'reference.css',
  'icon.svg',
  'copy.js',
  'examples-language.js',
  'first-use.js',
  'link-code.js',
  'pasted-token.js',
  'reading-position.js',
  'send-once.js',
  'token-list.js',
  'try-it.js',
] as const;

export type AssetName = (typeof FILES)[number];

const ASSETS = new Map<string, ReturnType<typeof readAsset>>(FILES.map((name) => [name, readAsset(name)]));

/**
 * Reads a file. The path at which browsers find the file contains a hash of its text, so a changed file has another
 * path.
 */
function readAsset(name: AssetName) {
  const written = readFileSync(new URL(`assets/${name}`, import.meta.url), 'utf8');
  const text = name.endsWith('.css') ? compact(written) : name.endsWith('.js') ? dense(written) : written;
  const [stem, extension] = name.split('.') as [string, keyof typeof TYPES];
  const path = `/assets/${stem}-${hash('sha256', text, 'hex').slice(0, 12)}.${extension}`;
  return { path, type: TYPES[extension], text };
}

/**
 * Removes comments, white space and the zero of `0.5` from a stylesheet. The strings of the stylesheet must not contain
 * comments or any of `{};,>:`.
 */
function compact(style: string): string {
  return style
    .replace(/\/\*.*?\*\//gs, '')
    .replace(/\s+/g, ' ')
    .replace(/ ?([{};,>]) ?/g, '$1')
    .replaceAll(': ', ':')
    .replaceAll(';}', '}')
    .replace(/(?<![\d.])0\.(?=\d)/g, '.');
}

/** Removes comment lines and indentation from a script. The texts of the script must not have several lines. */
function dense(script: string): string {
  return script.replace(/^\s*(?:\/\/|\/\*\*).*\n/gm, '').replace(/^\s+/gm, '');
}

/** Returns the path at which browsers find a file. */
export const assetPath = (name: AssetName) => ASSETS.get(name)?.path ?? '';

const FOREVER = 'public, max-age=31536000, immutable';

/**
 * Serves the files. During an upgrade, a browser with a page of one version may ask a server of another version for a
 * file. The hash in the path then differs, and the server answers with its own version of the file, which browsers do
 * not cache.
 */
export const assetEndpoints: Readonly<Record<string, Endpoint>> = {
  '/assets/:name': {
    GET: ({ params }) => {
      const asked = params.name ?? '';
      const asset = ASSETS.get(asked.replace(/-[0-9a-f]{12}(?=\.[a-z]+$)/, ''));
      if (!asset) return PROBLEM_ANSWERS.not_found;
      const caching: Header = ['cache-control', asset.path === `/assets/${asked}` ? FOREVER : 'no-store'];
      const headers: Header[] = [['content-type', asset.type], caching, SAME_ORIGIN];
      return { status: 200, headers, body: asset.text, isSameOrigin: true };
    },
  },
};

const SAME_ORIGIN: Header = ['cross-origin-resource-policy', 'same-origin'];
