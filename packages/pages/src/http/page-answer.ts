import type { Answer, Header } from '@gatehouse/http';
import type { Html } from '../html.ts';
import type { Site } from '../site/site.ts';

/**
 * Allows a page to load files from its own origin and to send forms there. Forbids inline scripts and styles, and
 * forbids all sites to show the page in a frame.
 */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "connect-src 'self'",
  "img-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ');

const PERMISSIONS = ['camera', 'display-capture', 'geolocation', 'microphone', 'payment', 'usb'];

const HEADERS: readonly Header[] = [
  ['cache-control', 'no-store'],
  ['content-security-policy', CONTENT_SECURITY_POLICY],
  ['cross-origin-opener-policy', 'same-origin'],
  ['cross-origin-resource-policy', 'same-origin'],
  ['permissions-policy', PERMISSIONS.map((feature) => `${feature}=()`).join(', ')],
  ['referrer-policy', 'same-origin'],
];

const STRICT_TRANSPORT: Header = ['strict-transport-security', 'max-age=31536000'];

const HTML_TYPE: Header = ['content-type', 'text/html; charset=utf-8'];

/**
 * Returns the header fields of every page and every redirect.
 *
 * @param site undefined if the request is not to the address of the site
 */
export function pageHeaders(site: Site | undefined): readonly Header[] {
  return site?.isSecure ? [...HEADERS, STRICT_TRANSPORT] : HEADERS;
}

/** Answers with a page. No other origin may read the page, not even an origin in `CORS_ORIGINS`. */
export function pageAnswer(
  site: Site | undefined,
  status: number,
  page: Html,
  headers: readonly Header[] = [],
): Answer {
  const body = `${page}`;
  return { status, headers: [HTML_TYPE, ...pageHeaders(site), ...headers], body, isSameOrigin: true };
}

/** Redirects to a path with the status 303: browsers open the path by GET, even after a form was sent by POST. */
export function redirectAnswer(
  site: Site | undefined,
  path: string,
  headers: readonly Header[] = [],
): Answer {
  const all: readonly Header[] = [['location', path], ...pageHeaders(site), ...headers];
  return { status: 303, headers: all, body: '', isSameOrigin: true };
}
