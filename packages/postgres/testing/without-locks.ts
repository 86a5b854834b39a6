import { OperationNodeTransformer, type RawNode, type SelectQueryNode } from 'kysely';
import type { Database } from '../src/database/database.ts';

class LockRemover extends OperationNodeTransformer {
  protected override transformSelectQuery(node: SelectQueryNode): SelectQueryNode {
    const { endModifiers: _, ...unlocked } = super.transformSelectQuery(node);
    return unlocked;
  }
  protected override transformRaw(node: RawNode): RawNode {
    const { sqlFragments, ...rest } = super.transformRaw(node);
    const lock = /\sfor (key share|share|no key update|update)( of \w+)?( skip locked)?/g;
    return { ...rest, sqlFragments: sqlFragments.map((text) => text.replaceAll(lock, '')) };
  }
}

/**
 * Sabotage: whatever is made on this database checks, in the same transactions, all that it always checks, but locks no
 * rows. Every race must detect it.
 */
export function withoutLocks(database: Database): Database {
  const remover = new LockRemover();
  const queries = database.queries.withPlugin({
    transformQuery: ({ node }) => remover.transformNode(node),
    transformResult: async ({ result }) => result,
  });
  return { ...database, queries };
}
