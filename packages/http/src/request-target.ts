/** The path of a malformed request. It is invalid percent-encoding, so it matches no route. */
export const MALFORMED_PATH = '/%';

/** A path that matches no route, because no route has an empty segment and no parameter matches one. */
const UNKNOWN_PATH = '//-';

const ABSOLUTE_FORM = /^https?:\/\/[^/?#]*/i;

/** RFC 3986 section 3.3: segments of unreserved characters, sub-delimiters, `:`, `@` and percent-encodings. */
const PATH = /^(?:\/(?:[A-Za-z0-9._~!$&'()*+,;=:@-]|%[0-9A-Fa-f]{2})*)+$/;

/** An empty segment (a trailing slash too), a dot segment, or a percent-encoding of what needs none. */
const NOT_CANONICAL =
  /\/(?:\/|$)|\/\.{1,2}(?:\/|$)|%(?:2[dD]|2[eE]|3[0-9]|[46][1-9a-fA-F]|[57][0-9aA]|5[fF]|7[eE])/;

/**
 * Reduces a request's target to the path that decides its route. The host in an absolute form and the query do not
 * count. A path is matched only in its one canonical spelling, so it never matters how a router or a URL parser would
 * read another one.
 */
export function routedPath(target: string): string {
  if (isCanonical(target)) return unlessNoUtf8(target);
  const path = askedPath(target);
  if (isCanonical(path)) return unlessNoUtf8(path);
  return path === '' || path === '*' || PATH.test(path) ? UNKNOWN_PATH : MALFORMED_PATH;
}

const unlessNoUtf8 = (path: string) =>
  path.includes('%') && decodePercent(path) === undefined ? MALFORMED_PATH : path;

/** The path in a target as its client spelled it. It decides how a refusal looks, and never where a request goes. */
export function askedPath(target: string): string {
  return target.replace(ABSOLUTE_FORM, '').replace(/[?#].*$/s, '');
}

/** Whether a path is in its canonical spelling, as the paths of routes are. */
export function isCanonical(path: string): boolean {
  return path === '/' || (PATH.test(path) && !NOT_CANONICAL.test(path));
}

/** Decodes percent-encoded UTF-8; undefined if the text is not that. */
export function decodePercent(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** Splits `name=value`; without an equals sign the value is empty. */
export function splitOnce(pair: string): readonly [name: string, value: string] {
  const end = pair.indexOf('=');
  return end === -1 ? [pair, ''] : [pair.slice(0, end), pair.slice(end + 1)];
}
