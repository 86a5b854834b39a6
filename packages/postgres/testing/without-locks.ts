import { type KyselyPlugin, OperationNodeTransformer, type RawNode, type SelectQueryNode } from 'kysely';
import type { Database } from '../src/database/database.ts';

class LockRemover extends OperationNodeTransformer {
  protected override transformSelectQuery(node: SelectQueryNode): SelectQueryNode {
    const { endModifiers: _, ...unlocked } = super.transformSelectQuery(node);
    return unlocked;
  }
  protected override transformRaw(node: RawNode): RawNode {
    const { sqlFragments, ...rest } = super.transformRaw(node);
    const lock = /\sfor (key share|share|no key update|update)( of \w+(, \w+)*)?( skip locked)?/g;
    return { ...rest, sqlFragments: sqlFragments.map((text) => text.replaceAll(lock, '')) };
  }
}

class ReservationRemover extends OperationNodeTransformer {
  protected override transformRaw(node: RawNode): RawNode {
    const { sqlFragments, ...rest } = super.transformRaw(node);
    // A function that only computes, with the same argument.
    return {
      ...rest,
      sqlFragments: sqlFragments.map((text) => text.replaceAll('pg_advisory_xact_lock(', 'concat(')),
    };
  }
}

/**
 * Sabotage: everything on this database makes the same checks in the same transactions, but locks no rows. Every race
 * must detect it.
 */
export function withoutLocks(database: Database): Database {
  return transformedBy(new LockRemover(), database);
}

/** The same, but it locks rows and reserves no names. */
export function withoutReservations(database: Database): Database {
  return transformedBy(new ReservationRemover(), database);
}

function transformedBy(remover: OperationNodeTransformer, database: Database): Database {
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => remover.transformNode(node),
    transformResult: async ({ result }) => result,
  };
  return {
    ...database,
    queries: database.queries.withPlugin(plugin),
    openShare: (connections, gate) => database.openShare(connections, gate).withPlugin(plugin),
  };
}
