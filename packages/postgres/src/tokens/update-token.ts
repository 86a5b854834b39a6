import { err, ok } from '@gatehouse/domain';
import { formatInstantOrNull } from '@gatehouse/domain/time';
import { lifetimeProblem } from '@gatehouse/domain/token-policy';
import { type Token, type TokenId, type TokenRepository, updatedToken } from '@gatehouse/domain/tokens';
import { sql } from 'kysely';
import { insertAuditEvents } from '../audit/audit-events.ts';
import { onPrimary } from '../database/primary/primary-only.ts';
import type { Queries } from '../database/schema.ts';
import { commitDurably } from '../database/statements/commit-durably.ts';
import { lockRules } from '../token-policy/lock-rules.ts';
import { actorMayAct } from '../users/acting-admin.ts';
import { reserveName } from './insert-token.ts';
import { lockToken } from './lock-token.ts';
import { isNameTaken } from './names.ts';
import { describeToken } from './token-descriptions.ts';
import { tokenReading } from './token-queries.ts';

/**
 * Changes a token's name, expiry and description. Before it decides, it locks the account, then the new name, then the
 * token. A transfer waits for the lock of the account. A creation or another renaming waits for the lock of the name. A
 * rotation, a revocation or the first use of a successor waits for the lock of the token.
 */
export function updateToken(db: Queries): TokenRepository['update'] {
  return (id, changes, at, audit) =>
    commitDurably(db, async (tx) => {
      const { find } = tokenReading(tx);
      const unlocked = await find(id);
      if (!unlocked) return err({ code: 'token_not_found' });
      // Before the other locks, because it locks the account for a change, and a shared lock of it would be in the way.
      if (!(await actorMayAct(tx, audit(unlocked, unlocked)))) return err({ code: 'not_allowed' });
      const { name, expiresAt } = changes;
      // Locks the account, so that its rules and the owner of the token cannot change meanwhile.
      if (name !== undefined || expiresAt !== undefined) await shareAccountOfToken(tx, id);
      if (name !== undefined) await reserveNewName(tx, id, name);
      await lockToken(tx, id);
      const before = await find(id);
      if (!before) return err({ code: 'token_not_found' });
      const predecessor = before.replaces && (await find(before.replaces.tokenId));
      const updated = updatedToken(before, predecessor ?? undefined, changes, at);
      if (!updated.ok) return updated;
      const after = updated.value;
      if (after === before) return ok({ before, after });
      if (after.name !== before.name && (await isNameTaken(tx, after, at))) {
        return err({ code: 'token_name_taken' });
      }
      if (after.expiresAt !== before.expiresAt) {
        const locked = await lockRules(tx, after);
        const tooLong = locked && lifetimeProblem(locked.rules, locked.holder, after, at);
        if (tooLong) return err(tooLong);
      }
      await tx
        .updateTable('tokens')
        .set({ name: after.name, expires_at: formatInstantOrNull(after.expiresAt) })
        .where('id', '=', id)
        .execute();
      if (after.description !== before.description) await describeToken(tx, id, after.description);
      await insertAuditEvents(tx, [audit(before, after)]);
      return ok({ before, after });
    });
}

async function shareAccountOfToken(tx: Queries, id: TokenId): Promise<void> {
  await sql`
    select from accounts where id = (select account_id from tokens where id = ${id}) for share`.execute(tx);
}

/**
 * Locks the new name for the owner of the token. The account must be locked, so that the owner cannot change meanwhile.
 */
async function reserveNewName(tx: Queries, id: TokenId, name: string): Promise<void> {
  const { rows } = await sql<Pick<Token, 'accountId' | 'userId'>>`
    select account_id as "accountId", user_id as "userId" from tokens where id = ${id} and ${onPrimary}`.execute(
    tx,
  );
  const [owner] = rows;
  if (owner) await reserveName(tx, { ...owner, name });
}
