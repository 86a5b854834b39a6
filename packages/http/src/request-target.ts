/** The path of a malformed request. The path is invalid percent-encoding, so it matches no route. */
export const MALFORMED_PATH = '/%';

/** A path that matches no route, because no route has an empty segment and no parameter matches one. */
const UNKNOWN_PATH = '//-';

const ABSOLUTE_FORM = /^https?:\/\/[^/?#]*/i;

/**
 * A valid path (RFC 3986 section 3.3): segments of unreserved characters, sub-delimiters, `:`, `@` and
 * percent-encodings.
 */
const PATH = /^(?:\/(?:[A-Za-z0-9._~!$&'()*+,;=:@-]|%[0-9A-Fa-f]{2})*)+$/;

/**
 * Matches what a canonical path does not have: an empty segment (also after a trailing slash), a dot segment, or the
 * percent-encoding of a character that needs none.
 */
const NOT_CANONICAL =
  /\/(?:\/|$)|\/\.{1,2}(?:\/|$)|%(?:2[dD]|2[eE]|3[0-9]|[46][1-9a-fA-F]|[57][0-9aA]|5[fF]|7[eE])/;

/**
 * Returns the path in a request's target. The router finds the route for this path. A host and a query in the target
 * are removed. If the path is not in its canonical spelling, a path that matches no route is returned. So different
 * routers and URL parsers cannot read the same path differently.
 */
export function routedPath(target: string): string {
  if (isCanonical(target)) return unlessNoUtf8(target);
  const path = askedPath(target);
  if (isCanonical(path)) return unlessNoUtf8(path);
  return path === '' || path === '*' || PATH.test(path) ? UNKNOWN_PATH : MALFORMED_PATH;
}

const unlessNoUtf8 = (path: string) =>
  path.includes('%') && decodePercent(path) === undefined ? MALFORMED_PATH : path;

/**
 * Returns the path in a target as the client wrote it. Use it only to decide in which format a refusal is sent, and
 * never to find a route.
 */
export function askedPath(target: string): string {
  return target.replace(ABSOLUTE_FORM, '').replace(/[?#].*$/s, '');
}

/**
 * Whether a path is in its canonical spelling: valid, without empty and dot segments, and without unnecessary
 * percent-encoding.
 */
export function isCanonical(path: string): boolean {
  return path === '/' || (PATH.test(path) && !NOT_CANONICAL.test(path));
}

/** Decodes percent-encoded UTF-8; undefined if the encoding is invalid. */
export function decodePercent(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** Splits `name=value` at the first equals sign. Without an equals sign, the value is empty. */
export function splitOnce(pair: string): readonly [name: string, value: string] {
  const end = pair.indexOf('=');
  return end === -1 ? [pair, ''] : [pair.slice(0, end), pair.slice(end + 1)];
}
