/** `resource:action`, such as `orgs:read`. A resource's scopes begin with its name. */
export type NarrowScope = `${string}:${string}`;

/** `*` (everything its user may do) or `resource:action`. The resource of a stored token's scope may have been removed since. */
export type Scope = '*' | NarrowScope;

/** Whether a token with these scopes has the needed one; `*` includes every other. */
export function scopesAllow(scopes: readonly Scope[], needed: NarrowScope): boolean {
  return scopes.includes('*') || scopes.includes(needed);
}
