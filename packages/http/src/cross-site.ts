import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';

/** Whether a browser sent a request for a page of another site: one that is neither ours nor allowed to call the API. */
export type IsCrossSite = (request: IncomingMessage) => boolean;

/**
 * Decides by the headers `Origin` and `Sec-Fetch-Site` (Fetch Metadata). A browser sends them, and no page can change or
 * remove them. Programs other than browsers send neither, and their requests are not cross-site.
 *
 * @param ownOrigin returns the origin at which the browser knows this server; undefined if the request does not show it
 * @param allowed further origins whose pages may call the API
 */
export function createIsCrossSite(
  ownOrigin: (request: IncomingMessage) => string | undefined,
  allowed: readonly string[],
): IsCrossSite {
  const origins = new Set(allowed);
  return (request) => {
    const { origin, host, 'sec-fetch-site': fetchSite } = request.headers;
    if (origin === undefined) return isOtherOrigin(fetchSite);
    const from = parseOrigin(origin);
    if (!from) return true;
    if (origins.has(from.origin)) return false;
    const own = ownOrigin(request);
    if (own === undefined) return isOtherOrigin(fetchSite) || !(isSameOrigin(fetchSite) || isAt(host, from));
    // A development server on the same machine may forward requests of its own pages with our `Host`.
    return from.origin !== own && !(isSameOrigin(fetchSite) && isThisMachine(from.hostname));
  };
}

const isSameOrigin = (fetchSite: unknown) => fetchSite === 'same-origin';

/**
 * Whether `Sec-Fetch-Site` says that a page of another origin caused the request. `none` is what the user typed or opened from
 * a bookmark.
 */
export function isOtherOrigin(fetchSite: unknown): boolean {
  return fetchSite !== undefined && !isSameOrigin(fetchSite) && fetchSite !== 'none';
}

/** Returns undefined for `null`, and for two origins that were joined. */
function parseOrigin(origin: string): URL | undefined {
  return /^https?:\/\/[^/\\?#@,\s]+$/i.test(origin) ? (URL.parse(origin) ?? undefined) : undefined;
}

/**
 * Whether the page that sent the request has the host of this server. The scheme is not compared: behind a proxy that
 * terminates TLS, the server does not know it. Any site can let its own name resolve to this server (DNS rebinding).
 * Such a name is refused for plain HTTP; for HTTPS it has no certificate here.
 */
function isAt(host: string | undefined, from: URL): boolean {
  const asked = host === undefined ? null : URL.parse(`${from.protocol}//${host}`);
  if (asked?.host !== from.host) return false;
  return from.protocol === 'https:' || isIP(bare(from.hostname)) !== 0 || isThisMachine(from.hostname);
}

/** Names below `localhost` lead nowhere else (RFC 6761 section 6.3). */
const isThisMachine = (hostname: string) =>
  /(?:^|\.)localhost$|^127(?:\.\d{1,3}){3}$|^\[::1\]$/.test(hostname);

const bare = (hostname: string) => hostname.replace(/^\[|\]$/g, '');
