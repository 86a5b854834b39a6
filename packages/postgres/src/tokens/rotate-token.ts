import { err, ok } from '@gatehouse/domain';
import { lifetimeProblem } from '@gatehouse/domain/token-policy';
import { rotationProblem, type Successor, type TokenRepository, takesAfter } from '@gatehouse/domain/tokens';
import type { UserId } from '@gatehouse/domain/users';
import { sql } from 'kysely';
import type { Queries } from '../database/schema.ts';
import { and, moment } from '../database/statements/conditions.ts';
import { lockRules } from '../token-policy/lock-rules.ts';
import { insertToken } from './insert-token.ts';
import { passes, reasonsOf } from './refusal-conditions.ts';
import { tokenRowOf } from './token-columns.ts';
import { describeToken } from './token-descriptions.ts';
import { foundations } from './token-insertion.ts';
import { tokenReading } from './token-queries.ts';

/**
 * Inserts the successor of a token. Before that, it locks the user who rotates, all rows that the creation of a token
 * locks, and the predecessor. These rows cannot change until the transaction ends. A second rotation waits for these
 * locks, and then finds the successor of the first rotation.
 */
export function rotateToken(db: Queries): TokenRepository['rotate'] {
  return (successor, { by }, events) =>
    db.transaction().execute(async (tx) => {
      if (!(await shareRotator(tx, successor, by))) return err({ code: 'not_allowed' });
      const { tokenId } = successor.replaces;
      await sql`
        with ${foundations(tokenRowOf(successor))}
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
      const locked = await lockRules(tx, successor);
      const tooLong = locked && lifetimeProblem(locked.rules, locked.holder, successor, successor.createdAt);
      if (tooLong) return err(tooLong);

      const refusal = await insertToken(tx, successor, ...events);
      if (refusal === 'token_name_taken')
        throw new Error('a successor takes over the name of its predecessor');
      if (refusal !== undefined) return err({ code: refusal });
      if (token.description !== null) await describeToken(tx, successor.id, token.description);
      return ok(undefined);
    });
}

/**
 * Returns whether the user who rotates is an active admin of the account, and locks that user against changes. Also
 * locks the account and the owner of the token, because several users must be locked in the order of their ids.
 */
async function shareRotator(
  tx: Queries,
  { accountId, userId, createdAt }: Successor,
  by: UserId,
): Promise<boolean> {
  const accepted = reasonsOf('users').map((reason) => passes(reason, moment(createdAt)));
  const { rows } = await sql<{ fit: boolean }>`
    with account as (
      select id from accounts where id = ${accountId} for share
    ), locked as (
      select users.id, ${and(sql`users.kind = 'person' and users.role = 'admin'`, ...accepted)} as fit
      from users join account on account.id = users.account_id
      where users.id in (${userId}, ${by}) order by users.id for share of users
    )
    select fit from locked where id = ${by}`.execute(tx);
  return rows[0]?.fit ?? false;
}
