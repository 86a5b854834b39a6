import type { Catalog } from '@gatehouse/domain/resources';
import { type Changes, changesOfEvents } from './changes.ts';
import { type Kinds, kindsOfEvents } from './kinds.ts';

/** The values that the filters of the page can have. */
export interface Selectable {
  readonly kinds: Kinds;
  readonly changes: Changes;
}

/** Returns what can be selected in an installation with these resources. */
export function selectableIn(catalog: Catalog): Selectable {
  const kinds = kindsOfEvents(catalog);
  return { kinds, changes: changesOfEvents(catalog, kinds) };
}
