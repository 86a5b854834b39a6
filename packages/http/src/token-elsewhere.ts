import type { HttpRequest } from './request.ts';

/** The name under which RFC 6750 (sections 2.2 and 2.3) lets clients put a token into a query or a form. */
const PARAMETER = 'access_token';

/**
 * Finds the parameter in any percent-encoding, without decoding the others: decoding a long query takes milliseconds.
 */
const HAS_PARAMETER = new RegExp(`(?:^\\??|&)${[...PARAMETER].map(inAnySpelling).join('')}(?:[=&]|$)`);

/**
 * Returns whether the request has another token outside its header. It is never used, but a proxy or a log might use
 * that one, and the request would then have two identities.
 */
export function hasTokenElsewhere(request: HttpRequest): boolean | Promise<boolean> {
  const { query } = request;
  if (query !== undefined && HAS_PARAMETER.test(query)) return true;
  const { 'content-type': type } = request.headers;
  return type !== undefined && isForm(type) && hasTokenInForm(request);
}

function isForm(type: string): boolean {
  return /^\s*application\/x-www-form-urlencoded\s*(?:;|$)/i.test(type);
}

async function hasTokenInForm(request: HttpRequest): Promise<boolean> {
  const bytes = await request.body();
  // The content of a body that is too large is unknown.
  if (typeof bytes === 'string') return true;
  return HAS_PARAMETER.test(bytes.toString('latin1'));
}

function inAnySpelling(character: string): string {
  const [high, low = ''] = character.charCodeAt(0).toString(16);
  return `(?:${character}|%${high}[${low}${low.toUpperCase()}])`;
}
