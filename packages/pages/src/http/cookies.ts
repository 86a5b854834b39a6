import type { IncomingMessage } from 'node:http';
import { valuesOf } from '@gatehouse/front';
import type { Header } from '@gatehouse/http';
import type { Site } from '../site/site.ts';

const NAMES = {
  /** The secret of the session. */
  session: 'gatehouse',
  /** A random secret that protects the sign-in form. Other forms are protected by a secret of the session. */
  visit: 'gatehouse-visit',
  /** The secret of a sign-in that waits for the code of the second factor. */
  pending: 'gatehouse-pending',
  /** The name of the message that the next page shows. */
  notice: 'gatehouse-notice',
  /** The values that a user typed into a form whose session had ended. */
  draft: 'gatehouse-draft',
  /** The secret that binds sign-ins with identity providers to this browser. */
  attempt: 'gatehouse-attempt',
};

export type CookieName = keyof typeof NAMES;

/** How long browsers keep a cookie, in seconds. Cookies without an entry are deleted when the browser closes. */
const LIFETIMES: Readonly<Partial<Record<CookieName, number>>> = {
  notice: 60,
  draft: 600,
  attempt: 600,
  pending: 600,
};

/**
 * The maximum length of a cookie's value, in characters. Browsers do not store a cookie that has more than 4,096 bytes
 * with its name and its attributes.
 */
export const MAX_COOKIE_VALUE_LENGTH = 3800;

const VALUE = /^[A-Za-z0-9._-]+$/;

/**
 * The white space that may precede a cookie in the header. Browsers treat other white space, such as U+00A0, as part of
 * the cookie's name. A name that begins with U+00A0 does not begin with `__Host-`, so any subdomain can set that
 * cookie.
 */
const WHITE_SPACE = /^[ \t]+/;

/**
 * Returns the name of a cookie. Browsers accept a cookie with the prefix `__Host-` only by HTTPS, and only from this
 * host, not from a subdomain.
 */
function cookieName(name: CookieName, { isSecure }: Site): string {
  return `${isSecure ? '__Host-' : ''}${NAMES[name]}`;
}

/**
 * Returns the value of a cookie; undefined if the request has two cookies with this name, because another host or path
 * may have set one of them.
 */
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

/**
 * Returns the header that sets a cookie. Scripts cannot read the cookie, and browsers do not send it with a form of
 * another site.
 */
export function setCookie(site: Site, name: CookieName, value: string, lifetime = LIFETIMES[name]): Header {
  const age = lifetime === undefined ? '' : `; Max-Age=${lifetime}`;
  const secure = site.isSecure ? '; Secure' : '';
  return ['set-cookie', `${cookieName(name, site)}=${value}; Path=/; HttpOnly; SameSite=Lax${secure}${age}`];
}

export function clearCookie(site: Site, name: CookieName): Header {
  return setCookie(site, name, '', 0);
}
