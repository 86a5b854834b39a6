/** `resource:action`, such as `orgs:read`. A resource's scopes begin with its name. */
export type NarrowScope = `${string}:${string}`;

/** `*` (everything its user may do) or `resource:action`. A stored token may have one of a resource that is not there any more. */
export type Scope = '*' | NarrowScope;

/** Whether a token with these scopes has the needed one; `*` includes every other. */
export function scopesAllow(scopes: readonly Scope[], needed: NarrowScope): boolean {
  return scopes.includes('*') || scopes.includes(needed);
}
