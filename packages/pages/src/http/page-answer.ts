import type { Answer, Header } from '@gatehouse/http';
import type { Html } from '../html.ts';
import type { Site } from '../site/site.ts';

/** A page loads from, sends to and is embedded in only its own origin, and has no inline script or style. */
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

/** The site is undefined for a request to another address. */
type MaybeSite = Site | undefined;

/** The headers of every response of a page. */
export function pageHeaders(site: MaybeSite): readonly Header[] {
  return site?.isSecure ? [...HEADERS, STRICT_TRANSPORT] : HEADERS;
}

/** A page. No other origin may read it, even one that may call the API. */
export function pageAnswer(
  site: MaybeSite,
  status: number,
  page: Html,
  headers: readonly Header[] = [],
): Answer {
  const body = `${page}`;
  return { status, headers: [HTML_TYPE, ...pageHeaders(site), ...headers], body, isSameOrigin: true };
}

/** Redirects by GET, also after a form. */
export function redirectAnswer(site: MaybeSite, path: string, headers: readonly Header[] = []): Answer {
  return {
    status: 303,
    headers: [['location', path], ...pageHeaders(site), ...headers],
    body: '',
    isSameOrigin: true,
  };
}
