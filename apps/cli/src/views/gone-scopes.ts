import type { Scope } from '@gatehouse/domain/access';
import type { Catalog } from '@gatehouse/domain/resources';

/** Marks the scopes of extensions that are not installed: lines for the user, none if there are no such scopes. */
export function goneScopeNotes(catalog: Catalog, scopes: Iterable<Scope>): readonly string[] {
  const gone = [...new Set(scopes)].filter((scope) => !catalog.scopeWords(scope));
  return gone.length === 0 ? [] : [`Allows nothing, because its extension is not here: ${gone.join(', ')}.`];
}
