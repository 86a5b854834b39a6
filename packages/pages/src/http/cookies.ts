import type { IncomingMessage } from 'node:http';
import { valuesOf } from '@gatehouse/front';
import type { Header } from '@gatehouse/http';
import type { Site } from '../site/site.ts';

const NAMES = {
  /** The secret of the session. */
  session: 'gatehouse',
  /** A random secret that protects the sign-in form, because there is no session yet. */
  visit: 'gatehouse-visit',
  /** The name of the message that the next page shows. */
  notice: 'gatehouse-notice',
  /** The values that a user typed into a form whose session had ended. */
  draft: 'gatehouse-draft',
};

export type CookieName = keyof typeof NAMES;

/** How long browsers keep a cookie, in seconds. They delete all others when they close. */
const LIFETIMES: Readonly<Partial<Record<CookieName, number>>> = { notice: 60, draft: 60 };

/** In characters. Browsers do not store a cookie of more than 4,096 bytes, with its name and its attributes. */
export const MAX_COOKIE_VALUE_LENGTH = 3800;

const VALUE = /^[A-Za-z0-9._-]+$/;

/**
 * The white space that may stand before a pair. Browsers take other white space, such as U+00A0, for a part of the name. Such a name
 * does not begin with `__Host-`, so any subdomain can set it.
 */
const WHITE_SPACE = /^[ \t]+/;

/** Browsers accept a cookie whose name begins with `__Host-` from this host only, by https, and from no subdomain. */
function cookieName(name: CookieName, { isSecure }: Site): string {
  return `${isSecure ? '__Host-' : ''}${NAMES[name]}`;
}

/** Returns the value of a cookie; undefined if two cookies have its name, because another host or path may have set one of them. */
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

/** Sets a cookie that neither scripts nor forms of other sites can use. */
export function setCookie(site: Site, name: CookieName, value: string, lifetime = LIFETIMES[name]): Header {
  const age = lifetime === undefined ? '' : `; Max-Age=${lifetime}`;
  const secure = site.isSecure ? '; Secure' : '';
  return ['set-cookie', `${cookieName(name, site)}=${value}; Path=/; HttpOnly; SameSite=Lax${secure}${age}`];
}

export function clearCookie(site: Site, name: CookieName): Header {
  return setCookie(site, name, '', 0);
}
