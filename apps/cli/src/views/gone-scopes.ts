import type { Scope } from '@gatehouse/domain/access';
import type { Catalog } from '@gatehouse/domain/resources';

/** Returns a line that lists the scopes of extensions that are not installed; no line if there are none. */
export function goneScopeNotes(catalog: Catalog, scopes: Iterable<Scope>): readonly string[] {
  const gone = [...new Set(scopes)].filter((scope) => !catalog.scopeWords(scope));
  return gone.length === 0
    ? []
    : [`These scopes allow nothing, because their extensions are not installed: ${gone.join(', ')}.`];
}
