import type { IncomingMessage } from 'node:http';

/** The framework answers 400 to a path that is no percent-encoding. */
const MALFORMED = '/%';

/** No route has it: their paths have no empty segment, and the framework matches no parameter with one. */
const UNKNOWN = '//-';

const ABSOLUTE_FORM = /^https?:\/\/[^/?#]*/i;

/** RFC 3986 section 3.3: segments of unreserved characters, sub-delimiters, `:`, `@` and percent-encodings. */
const PATH = /^(?:\/(?:[A-Za-z0-9._~!$&'()*+,;=:@-]|%[0-9A-Fa-f]{2})*)+$/;

/** An empty segment (a trailing slash too), a dot segment, or a percent-encoding of what needs none. */
const NOT_CANONICAL =
  /\/(?:\/|$)|\/\.{1,2}(?:\/|$)|%(?:2[dD]|2[eE]|3[0-9]|[46][1-9a-fA-F]|[57][0-9aA]|5[fF]|7[eE])/;

/**
 * Reduces a request's target to the path by which it is routed. The host in an absolute form and
 * the query decide nothing, and a path is matched in its one canonical spelling only: what a router or a URL
 * parser would make of the others never matters.
 */
export function routedPath(target: string): string {
  if (isCanonical(target)) return target;
  const path = pathOf(target);
  if (isCanonical(path)) return path;
  return path === '' || path === '*' || PATH.test(path) ? UNKNOWN : MALFORMED;
}

const targets = new WeakMap<IncomingMessage, string>();

/** Keeps the target of a request that is routed by another path than it names. */
export function noteTarget(request: IncomingMessage, target: string): void {
  targets.set(request, target);
}

/** The path of a request as its client spelled it. It decides how a refusal looks, and never where a request goes. */
export function askedPath(request: IncomingMessage): string {
  return pathOf(targets.get(request) ?? request.url ?? '');
}

const pathOf = (target: string) => target.replace(ABSOLUTE_FORM, '').replace(/[?#].*$/s, '');

/** The target of a request that is refused as malformed whatever it asks for. */
export const MALFORMED_TARGET = MALFORMED;

/** Whether a path is written as a route's is: in its one canonical spelling. */
export function isCanonical(path: string): boolean {
  return path === '/' || (PATH.test(path) && !NOT_CANONICAL.test(path));
}
