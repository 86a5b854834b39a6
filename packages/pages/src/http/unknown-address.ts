import { askedPath, type HttpRequest } from '@gatehouse/http';

/** The methods with which a browser opens an address. */
const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST']);

/** Matches paths that people may type: not the API, not `/.well-known`, and no odd spelling of the first segment. */
const PATH = /^\/(?!\.|api(?:\/|$))[\w.~-]+(?:\/|$)/i;

/** Whether an unknown path gets a page instead of a problem document: a browser shows it to a person. */
export function isForReader({ method, target, headers }: HttpRequest): boolean {
  return METHODS.has(method) && PATH.test(askedPath(target)) && prefersHtml(headers.accept ?? '');
}

/** Whether an `Accept` (RFC 9110 section 12.5.1) prefers HTML to JSON, and does not name it last of all. */
export function prefersHtml(accept: string): boolean {
  const weights = new Map(accept.split(',').map(weighted));
  const weightOf = (...types: readonly string[]) => Math.max(...types.map((type) => weights.get(type) ?? 0));
  const html = weightOf('text/html');
  return (
    html > weightOf('application/json', 'application/problem+json') &&
    html >= weightOf('application/*', '*/*')
  );
}

/** A malformed quality counts as 0. */
function weighted(range: string): readonly [type: string, weight: number] {
  const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
  const weight = parameters.find((parameter) => parameter.startsWith('q='));
  return [type, weight === undefined ? 1 : Number(/^q=([01](?:\.\d{0,3})?)$/.exec(weight)?.[1] ?? 0)];
}
