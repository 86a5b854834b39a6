import { err, ok } from '@gatehouse/domain';
import {
  MAX_WRONG_CODES,
  type Proof,
  pausedUntil,
  recentWrong,
  type SecondFactorRepository,
} from '@gatehouse/domain/second-factor';
import type { UserId } from '@gatehouse/domain/users';
import { insertAuditEvents } from '../audit/audit-events.ts';
import type { Queries } from '../database/schema.ts';
import { commitDurably } from '../database/statements/commit-durably.ts';
import { bytesOf, RECOVERY_CODES_LEFT } from './second-factor-records.ts';

const WRONG = err({ code: 'second_factor_wrong' });

/**
 * Accepts or counts a code under the lock of its row, so that codes which come at once on several servers are decided one
 * after the other. The transaction is on disk before the answer: no crash makes a code good again.
 */
export function proveIn(queries: Queries): SecondFactorRepository['prove'] {
  return ({ userId, enrolledAt }, proof, at, audit) =>
    commitDurably(queries, async (tx) => {
      const factor = await tx
        .selectFrom('second_factors')
        .select(['enrolled_at', 'last_step', 'wrong'])
        .where('user_id', '=', userId)
        .forUpdate()
        .executeTakeFirst();
      if (factor?.enrolled_at !== enrolledAt) return err({ code: 'second_factor_not_enrolled' });
      const until = pausedUntil(factor.wrong, at);
      if (until !== undefined)
        return err({ code: 'second_factor_paused', retryAfterSeconds: Math.ceil((until - at) / 1000) });
      if (!(await isAccepted(tx, userId, factor.last_step, proof))) {
        const wrong = [...recentWrong(factor.wrong, at), at].slice(-MAX_WRONG_CODES);
        await changeFactor(tx, userId)
          .set({ wrong: JSON.stringify(wrong) })
          .execute();
        if (pausedUntil(wrong, at) !== undefined) await insertAuditEvents(tx, [audit()]);
        return WRONG;
      }
      await changeFactor(tx, userId).set({ wrong: '[]' }).execute();
      const left = await countLeft(tx, userId);
      const usedRecoveryCode = 'recoveryHash' in proof;
      if (usedRecoveryCode) await insertAuditEvents(tx, [audit(left)]);
      return ok({ usedRecoveryCode, recoveryCodesLeft: left });
    });
}

/** Whether the code is right and was not used before. If so, it is used now. */
async function isAccepted(tx: Queries, userId: UserId, lastStep: number, proof: Proof): Promise<boolean> {
  if ('steps' in proof) {
    const step = proof.steps.find((each) => each > lastStep);
    if (step === undefined) return false;
    await changeFactor(tx, userId).set({ last_step: step }).execute();
    return true;
  }
  const used = await tx
    .deleteFrom('recovery_codes')
    .where('user_id', '=', userId)
    .where('code_hash', '=', bytesOf(proof.recoveryHash))
    .returning('user_id')
    .executeTakeFirst();
  return used !== undefined;
}

const changeFactor = (tx: Queries, userId: UserId) =>
  tx.updateTable('second_factors').where('user_id', '=', userId);

async function countLeft(tx: Queries, userId: UserId): Promise<number> {
  const counted = tx.selectFrom('second_factors').select(RECOVERY_CODES_LEFT.as('left'));
  return (await counted.where('user_id', '=', userId).executeTakeFirst())?.left ?? 0;
}
