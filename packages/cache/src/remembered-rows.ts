import type { Change } from '@gatehouse/domain/changes';
import { LRUCache } from 'lru-cache';
import { type Coherence, createReadThrough } from './read-through.ts';

/** The largest number of cached rows of one read. The least recently used rows are dropped. */
const MAX_ROWS = 1000;

/** Answers a read of single rows by their ids from memory. */
type Remember = <Id extends number | string, Row extends object>(
  /** The table with its schema. A trigger notifies each change of its rows. */
  table: string,
  read: (id: Id) => Promise<Row | undefined>,
) => (id: Id) => Promise<Row | undefined>;

/**
 * Remembers rows of the tables of extensions, for as long as the feed is fresh and the row has not changed. Absence is
 * not remembered. A change of too many rows to name drops all rows of that table, and nothing else.
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
        // Under another spelling of its id, such as a UUID in capitals, the row would stay when it changes.
        if (!('id' in row) || row.id === id) rows.set(id, row);
        return row;
      },
    });
    return async (id: Id) => find(id);
  };
}
