import { askedPath, type HttpRequest } from '@gatehouse/http';

const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST']);

/**
 * Matches paths that a person may have typed. Does not match the API, `/.well-known`, and paths whose first segment has
 * unusual characters.
 */
const PATH = /^\/(?!\.|api(?:\/|$))[\w.~-]+(?:\/|$)/i;

/**
 * Whether the answer to a request for an unknown path is a page instead of a problem document. A page is better if a
 * browser shows the answer to a person.
 */
export function isForReader({ method, target, headers }: HttpRequest): boolean {
  return METHODS.has(method) && PATH.test(askedPath(target)) && prefersHtml(headers.accept ?? '');
}

/**
 * Whether the `Accept` field of a client prefers HTML to JSON, and ranks no wildcard above HTML (RFC 9110 section
 * 12.5.1).
 */
export function prefersHtml(accept: string): boolean {
  const weights = new Map(accept.split(',').map(weighted));
  const weightOf = (...types: readonly string[]) => Math.max(...types.map((type) => weights.get(type) ?? 0));
  const html = weightOf('text/html');
  return (
    html > weightOf('application/json', 'application/problem+json') &&
    html >= weightOf('application/*', '*/*')
  );
}

/** Reads a media range such as `text/html;q=0.8`. A malformed weight counts as 0. */
function weighted(range: string): readonly [type: string, weight: number] {
  const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
  const weight = parameters.find((parameter) => parameter.startsWith('q='));
  return [type, weight === undefined ? 1 : Number(/^q=([01](?:\.\d{0,3})?)$/.exec(weight)?.[1] ?? 0)];
}
