import { type InvalidInput, invalid, ok, type Result } from '../result.ts';

/** The scopes a token can have; a new resource of the domain adds its own here. */
export const SCOPES = ['*', 'me:read', 'orgs:read'] as const;

/** `*` (everything its user may do) or `resource:action`. */
export type Scope = (typeof SCOPES)[number];

export type NarrowScope = Exclude<Scope, '*'>;

/** Whether a token with these scopes has the needed one; `*` includes every other. */
export function scopesAllow(scopes: readonly Scope[], needed: NarrowScope): boolean {
  return scopes.includes('*') || scopes.includes(needed);
}

/** Parses a list of scopes without duplicates; an empty list is refused, because its token could do nothing. */
export function parseScopes(texts: readonly string[]): Result<readonly Scope[], InvalidInput> {
  const known: readonly string[] = SCOPES;
  const unknown = texts.find((text) => !known.includes(text));
  if (unknown !== undefined || texts.length === 0) {
    return invalid('scope', `must be one of ${SCOPES.join(', ')}`);
  }
  return ok([...new Set(texts as readonly Scope[])].sort());
}
