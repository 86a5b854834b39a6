import { err, ok } from '@gatehouse/domain';
import { rotationProblem, type TokenRepository } from '@gatehouse/domain/tokens';
import { transferRefusal } from '@gatehouse/domain/users';
import { insertAuditEvents } from '../audit/audit-events.ts';
import type { Queries } from '../database/schema.ts';
import { commitDurably } from '../database/statements/commit-durably.ts';
import { lockAccount, lockUsers } from '../database/statements/row-locks.ts';
import { actorMayAct } from '../users/acting-admin.ts';
import { lockToken } from './lock-token.ts';
import { isNameTaken } from './names.ts';
import { tokenReading } from './token-queries.ts';

/**
 * Makes another user the owner of a token. Locks the account, both users and the token before it decides. Tokens that
 * are made, rotated, renamed or transferred meanwhile wait for the account, so the name stays free.
 */
export function giveToken(db: Queries): TokenRepository['give'] {
  return (id, to, at, audit) =>
    commitDurably(db, async (tx) => {
      const { find } = tokenReading(tx);
      const unlocked = await find(id);
      if (!unlocked || !(await lockAccount(tx, unlocked.accountId))) return err({ code: 'token_not_found' });
      if (!(await actorMayAct(tx, audit(unlocked)))) return err({ code: 'not_allowed' });
      // Its owner cannot change while the account is locked.
      const owned = await find(id);
      const users = owned && (await lockUsers(tx, [owned.userId, to]));
      if (owned) await lockToken(tx, id);
      const before = await find(id);
      const from = before && users?.get(before.userId);
      if (!before || !from) return err({ code: 'token_not_found' });
      const predecessor = before.replaces && (await find(before.replaces.tokenId));
      const problem = rotationProblem(before, predecessor ?? undefined, at);
      if (problem) return err({ ...problem, code: 'token_not_updatable' });
      const event = audit(before);
      const refusal = transferRefusal(from, users?.get(to), event);
      if (refusal) return err(refusal);
      if (await isNameTaken(tx, { ...before, userId: to }, at)) return err({ code: 'token_name_taken' });
      await tx.updateTable('tokens').set({ user_id: to }).where('id', '=', id).execute();
      await insertAuditEvents(tx, [event]);
      const after = await find(id);
      if (!after) throw new Error('the token was there before');
      return ok({ before, after });
    });
}
