import { formatInstant } from '@gatehouse/domain/time';
import type { EndedTokens, TokenRepository } from '@gatehouse/domain/tokens';
import { type SqlBool, sql } from 'kysely';
import { insertAuditEvents } from '../audit/audit-events.ts';
import type { Queries } from '../database/schema.ts';
import { END } from './refusal-conditions.ts';
import { tokenColumns, toToken } from './token-columns.ts';

/**
 * Selects the tokens to delete, beginning with the tokens that ended longest ago. Uses the index tokens_sign_in_end.
 * The kind is a literal, so that every plan can use this index.
 */
function selectEnded(db: Queries, { endedBefore, limit }: EndedTokens) {
  return db
    .selectFrom('tokens')
    .select('tokens.id')
    .where('tokens.kind', '=', sql.lit('sign-in'))
    .where(sql<SqlBool>`${END} < ${formatInstant(endedBefore)}`)
    .orderBy(END)
    .limit(limit);
}

/** The part of the repository that counts and deletes sign-in tokens that ended long ago. */
export function tokenPruning(db: Queries): Pick<TokenRepository, 'countEnded' | 'prune'> {
  return {
    async countEnded(options) {
      const { count } = await db
        .selectFrom(selectEnded(db, options).as('ended'))
        .select(sql<number>`count(*)`.as('count'))
        .executeTakeFirstOrThrow();
      return count;
    },

    /**
     * Deleting a token also deletes its usage (a cascade). Locked rows are skipped, for example the rows of a
     * concurrent prune.
     */
    prune: (options, audit) =>
      db.transaction().execute(async (tx) => {
        const rows = await tx
          .with('ended', () => selectEnded(tx, options).forUpdate().skipLocked())
          .deleteFrom('tokens')
          .using('ended')
          .whereRef('tokens.id', '=', 'ended.id')
          .returning(tokenColumns)
          .execute();
        if (rows.length > 0) await insertAuditEvents(tx, rows.map(toToken).map(audit));
        return rows.length;
      }),
  };
}
