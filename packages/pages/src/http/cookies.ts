import type { IncomingMessage } from 'node:http';
import { valuesOf } from '@gatehouse/front';
import type { Header } from '@gatehouse/http';
import type { Site } from '../site/site.ts';

/**
 * `session`: the session's secret. `visit`: a random secret that protects the sign-in form before there is a session. `notice`: the
 * message of the next page. `draft`: the values of a form whose session had ended.
 */
const NAMES = {
  session: 'gatehouse',
  visit: 'gatehouse-visit',
  notice: 'gatehouse-notice',
  draft: 'gatehouse-draft',
};

export type CookieName = keyof typeof NAMES;

/** In characters. Browsers store no cookie of more than 4,096 bytes, including name and attributes. */
export const MAX_COOKIE_VALUE_LENGTH = 3800;

const VALUE = /^[A-Za-z0-9._-]+$/;

/**
 * White space before a pair. To browsers, any other white space, such as U+00A0, belongs to the name, which then has no
 * guarded prefix.
 */
const WHITE_SPACE = /^[ \t]+/;

/**
 * The attributes keep the cookie from scripts, from frames and forms of other sites, and from other hosts. With
 * `__Host-` no subdomain can set it.
 */
function cookieName(name: CookieName, { isSecure }: Site): string {
  return `${isSecure ? '__Host-' : ''}${NAMES[name]}`;
}

/** The value of a cookie. If two have the same name, neither counts: another host or path may have set one. */
export function readCookie(request: IncomingMessage, site: Site, name: CookieName): string | undefined {
  const wanted = `${cookieName(name, site)}=`;
  const found = valuesOf(request, 'cookie')
    .flatMap((field) => field.split(';'))
    .map((pair) => pair.replace(WHITE_SPACE, ''))
    .filter((pair) => pair.startsWith(wanted))
    .map((pair) => pair.slice(wanted.length));
  const [value] = found;
  return found.length === 1 &&
    value !== undefined &&
    value.length <= MAX_COOKIE_VALUE_LENGTH &&
    VALUE.test(value)
    ? value
    : undefined;
}

/** Sets a cookie that browsers delete when they close, or after `maxAgeSeconds`. */
export function setCookie(site: Site, name: CookieName, value: string, maxAgeSeconds?: number): Header {
  const age = maxAgeSeconds === undefined ? '' : `; Max-Age=${maxAgeSeconds}`;
  const secure = site.isSecure ? '; Secure' : '';
  return ['set-cookie', `${cookieName(name, site)}=${value}; Path=/; HttpOnly; SameSite=Lax${secure}${age}`];
}

export function clearCookie(site: Site, name: CookieName): Header {
  return setCookie(site, name, '', 0);
}
