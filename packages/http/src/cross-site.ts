import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';

/**
 * Whether a browser sent the request because of a page of another site. Pages of this server, and pages of origins that
 * may call the API, are not other sites.
 */
export type IsCrossSite = (request: IncomingMessage) => boolean;

/**
 * Creates the check, which reads the headers `Origin` and `Sec-Fetch-Site` (Fetch Metadata). Browsers send these
 * headers, and no page can change or remove them. Requests without both headers come from other programs, and are not
 * cross-site.
 *
 * @param ownOrigin returns the origin of this server in the browser's address bar; undefined if the request does not
 * show it
 * @param allowed the origins of other sites whose pages may call the API
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
    // If the page is of another origin on the same machine, it may be a page of a development server that forwards the
    // page's requests with the `Host` of this server. Such a request is not cross-site.
    return from.origin !== own && !(isSameOrigin(fetchSite) && isThisMachine(from.hostname));
  };
}

const isSameOrigin = (fetchSite: unknown) => fetchSite === 'same-origin';

/**
 * Whether `Sec-Fetch-Site` says that a page of another origin caused the request. With the value `none`, the user
 * caused the request, for example by typing the address or opening a bookmark.
 */
export function isOtherOrigin(fetchSite: unknown): boolean {
  return fetchSite !== undefined && !isSameOrigin(fetchSite) && fetchSite !== 'none';
}

/** Parses an `Origin` header. Returns undefined for the value `null`, and for two values that a proxy joined. */
function parseOrigin(origin: string): URL | undefined {
  return /^https?:\/\/[^/\\?#@,\s]+$/i.test(origin) ? (URL.parse(origin) ?? undefined) : undefined;
}

/**
 * Whether the page that sent the request has the host of this server. The scheme is not compared: behind a proxy that
 * terminates TLS, the server does not know it. The owner of another site can make its host name resolve to this
 * server's address (DNS rebinding). With plain HTTP, only IP addresses and `localhost` are therefore accepted. With
 * HTTPS, the browser finds no valid certificate for such a name.
 */
function isAt(host: string | undefined, from: URL): boolean {
  const asked = host === undefined ? null : URL.parse(`${from.protocol}//${host}`);
  if (asked?.host !== from.host) return false;
  return from.protocol === 'https:' || isIP(bare(from.hostname)) !== 0 || isThisMachine(from.hostname);
}

/**
 * Whether a host name always leads to the browser's own machine: a loopback address, `localhost`, or a name below
 * `localhost` (RFC 6761 section 6.3).
 */
const isThisMachine = (hostname: string) =>
  /(?:^|\.)localhost$|^127(?:\.\d{1,3}){3}$|^\[::1\]$/.test(hostname);

const bare = (hostname: string) => hostname.replace(/^\[|\]$/g, '');
