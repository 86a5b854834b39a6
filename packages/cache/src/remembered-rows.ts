import type { Change } from '@gatehouse/domain/changes';
import { LRUCache } from 'lru-cache';
import { type Coherence, createReadThrough } from './read-through.ts';

/**
 * The largest number of rows that one cache holds. Each use of `remember` has its own cache, which drops the least
 * recently used rows.
 */
const MAX_ROWS = 1000;

/** Adds a cache to a function that reads a single row by its id. */
type Remember = <Id extends number | string, Row extends object>(
  /** The name of the table, with its schema. The table must have the trigger that notifies each change of its rows. */
  table: string,
  read: (id: Id) => Promise<Row | undefined>,
) => (id: Id) => Promise<Row | undefined>;

/**
 * Creates the function that caches rows in tables of extensions. A cached row is returned while the change feed reports
 * every change and the row has not changed. A missing row is not cached. If one statement changes very many rows, the
 * notification does not name them, and all cached rows of that table are dropped.
 */
export function createRememberedRows(coherence: Coherence): Remember {
  return function remember<Id extends number | string, Row extends object>(
    table: string,
    read: (id: Id) => Promise<Row | undefined>,
  ) {
    const rows = new LRUCache<Id, Row>({ max: MAX_ROWS });
    coherence.feed.subscribe((change) => {
      if (change.kind === 'everything') rows.clear();
      else if ('table' in change && change.table === table) {
        if (change.kind === 'row') rows.delete(change.id as Id);
        else rows.clear();
      }
    });
    const find = createReadThrough<[Id], Row>(coherence, {
      key: (id) => id,
      held: (id) => rows.get(id),
      read,
      outdatedBy: (_, id): readonly Change[] => [
        { kind: 'row', table, id },
        { kind: 'rows', table },
      ],
      keep(row, id) {
        // The row is not cached if its id is spelled differently, such as a UUID in capitals: a change is notified
        // under the id in the row, and would not drop the cached row.
        if (!('id' in row) || row.id === id) rows.set(id, row);
        return row;
      },
    });
    return async (id: Id) => find(id);
  };
}
