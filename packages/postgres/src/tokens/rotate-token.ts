import { err, ok } from '@gatehouse/domain';
import { rotationProblem, type TokenRepository, takesAfter } from '@gatehouse/domain/tokens';
import { sql } from 'kysely';
import type { Queries } from '../database/schema.ts';
import { foundations, insertToken } from './insert-token.ts';
import { tokenReading } from './token-queries.ts';

/**
 * Inserts a successor. The predecessor's row is locked after everything that the creation of a token locks, and before
 * it is read: what is read stays true until the transaction ends. A second rotation waits here, and then finds the first
 * one's successor.
 */
export function rotateToken(db: Queries): TokenRepository['rotate'] {
  return (successor, events) =>
    db.transaction().execute(async (tx) => {
      const { tokenId } = successor.replaces;
      await sql`
        with ${foundations(successor)}
        select key.state from tokens left join key on true
        where tokens.id = ${tokenId} for no key update of tokens`.execute(tx);
      const { find } = tokenReading(tx);
      const token = await find(tokenId);
      if (!token) return err({ code: 'token_not_found' });
      if (token.userId !== successor.userId) return err({ code: 'creator_not_fit' });
      const before = token.replaces && (await find(token.replaces.tokenId));
      const problem = rotationProblem(token, before ?? undefined, successor.createdAt);
      if (problem) return err(problem);
      if (!takesAfter(successor, token)) return err({ code: 'token_changed' });

      const refusal = await insertToken(tx, successor, undefined, ...events);
      if (refusal === undefined) return ok(undefined);
      switch (refusal) {
        case 'creator_not_fit':
        case 'key_not_usable':
        case 'token_id_taken':
          return err({ code: refusal });
      }
      throw new Error(`a successor was refused as ${refusal}`);
    });
}
