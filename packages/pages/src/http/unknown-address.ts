import type { HttpRequest } from '@gatehouse/http';
import { askedPath } from '@gatehouse/http';

/** The methods that a browser opens an address with. */
const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST']);

/** Paths of the API and of conventions between programs (`/.well-known`) are none, nor is a first segment in an odd spelling. */
const PATH = /^\/(?!\.|api(?:\/|$))[\w.~-]+(?:\/|$)/i;

/** Where a path leads nowhere: whether a browser shows the response to a person, who reads pages and no problem documents. */
export function isForReader({ method, target, headers }: HttpRequest): boolean {
  return METHODS.has(method) && PATH.test(askedPath(target)) && prefersHtml(headers.accept ?? '');
}

/** Whether an `Accept` (RFC 9110 section 12.5.1) names HTML, before JSON and not after all else. */
export function prefersHtml(accept: string): boolean {
  const weights = new Map(accept.split(',').map(weighted));
  const weightOf = (...types: readonly string[]) => Math.max(...types.map((type) => weights.get(type) ?? 0));
  const html = weightOf('text/html');
  return (
    html > weightOf('application/json', 'application/problem+json') &&
    html >= weightOf('application/*', '*/*')
  );
}

/** One that is malformed weighs nothing. */
function weighted(range: string): readonly [type: string, weight: number] {
  const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
  const weight = parameters.find((parameter) => parameter.startsWith('q='));
  return [type, weight === undefined ? 1 : Number(/^q=([01](?:\.\d{0,3})?)$/.exec(weight)?.[1] ?? 0)];
}
