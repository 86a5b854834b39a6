import { err, ok } from '@gatehouse/domain';
import { demandsSecondFactor, type SecondFactorRepository } from '@gatehouse/domain/second-factor';
import type { SessionId } from '@gatehouse/domain/sessions';
import { formatInstant } from '@gatehouse/domain/time';
import type { UserId } from '@gatehouse/domain/users';
import { sql } from 'kysely';
import { insertAuditEvents } from '../audit/audit-events.ts';
import type { Database } from '../database/database.ts';
import { onPrimary } from '../database/primary/primary-only.ts';
import type { Queries } from '../database/schema.ts';
import { commitDurably } from '../database/statements/commit-durably.ts';
import { lockAccount, lockCredentials, lockUser, shareAccountOf } from '../database/statements/row-locks.ts';
import { renewSecret, takeBackPasswords } from '../sessions/session-changes.ts';
import { holdsWitness } from '../signing-keys/holds-witness.ts';
import { actorMayAct } from '../users/acting-admin.ts';
import { pendingSignIns } from './pending-sign-ins.ts';
import { proveIn } from './prove.ts';
import {
  deleteSecondFactor,
  insertRecoveryCodes,
  policyOf,
  RECOVERY_CODES_LEFT,
} from './second-factor-records.ts';

const NOT_ENROLLED = err({ code: 'second_factor_not_enrolled' });
const SESSION_NOT_FOUND = err({ code: 'session_not_found' });

/**
 * Creates the repository of second factors in PostgreSQL. Every change locks the account, then the user, and then a
 * signing key or the row of the second factor.
 */
export function createPostgresSecondFactorRepository(database: Database): SecondFactorRepository {
  const { queries } = database;
  return {
    ...pendingSignIns(database),

    async find(userId) {
      // Uses the indexes second_factors_pkey and recovery_codes_pkey.
      const found = await queries
        .selectFrom('second_factors')
        .select(['user_id as userId', 'sealed_secret as sealedSecret', 'enrolled_at as enrolledAt'])
        .select(RECOVERY_CODES_LEFT.as('recoveryCodesLeft'))
        .where('user_id', '=', userId)
        .executeTakeFirst();
      return found && Object.freeze(found);
    },

    enrol: (factor, recoveryCodes, { sessionId, witness }, event) =>
      commitDurably(queries, async (tx) => {
        const { userId, sealedSecret, lastStep, enrolledAt } = factor;
        const user = await lockCredentials(tx, userId);
        if (user && user.secondFactorAt !== null) return err({ code: 'second_factor_enrolled' });
        if (!user || !(await isOwnSession(tx, userId, sessionId))) return SESSION_NOT_FOUND;
        if (!(await holdsWitness(tx, witness))) return err({ code: 'keys_changed' });
        const at = formatInstant(enrolledAt);
        await tx.updateTable('users').set({ second_factor_at: at }).where('id', '=', userId).execute();
        await tx
          .insertInto('second_factors')
          .values({ user_id: userId, sealed_secret: sealedSecret, last_step: lastStep, enrolled_at: at })
          .execute();
        await insertRecoveryCodes(tx, userId, recoveryCodes);
        await takeBackPasswords(tx, userId, sessionId);
        await insertAuditEvents(tx, [event]);
        return ok(undefined);
      }),

    prove: proveIn(queries),

    replaceRecoveryCodes: (userId, recoveryCodes, { enrolledAt, sessionId }, event) =>
      commitDurably(queries, async (tx) => {
        const user = await lockCredentials(tx, userId);
        if (user?.secondFactorAt !== enrolledAt) return NOT_ENROLLED;
        if (!(await isOwnSession(tx, userId, sessionId))) return SESSION_NOT_FOUND;
        // Waits for a code that is being used, so that its deletion and this one do not wait for each other.
        await tx
          .selectFrom('second_factors')
          .select('user_id')
          .where('user_id', '=', userId)
          .forUpdate()
          .execute();
        await tx.deleteFrom('recovery_codes').where('user_id', '=', userId).execute();
        await insertRecoveryCodes(tx, userId, recoveryCodes);
        await insertAuditEvents(tx, [event]);
        return ok(undefined);
      }),

    remove: (userId, { enrolledAt, sessionId, verifiedHash, renewal }, event) =>
      commitDurably(queries, async (tx) => {
        const account = await shareAccountOf(tx, userId);
        const user = await lockCredentials(tx, userId);
        if (!account || user?.passwordHash !== verifiedHash) return err({ code: 'password_changed' });
        if (user.secondFactorAt !== enrolledAt) return NOT_ENROLLED;
        const policy = (await findPolicy(tx, account.id)) ?? 'optional';
        if (demandsSecondFactor({ policy }, user.role)) return err({ code: 'second_factor_demanded' });
        const renewed = await renewSecret(tx, { id: sessionId, userId }, event.at, renewal);
        if (!renewed) return SESSION_NOT_FOUND;
        await deleteSecondFactor(tx, userId);
        await insertAuditEvents(tx, [event]);
        return ok(undefined);
      }),

    reset: (userId, { at, reason }, event) =>
      commitDurably(queries, async (tx) => {
        const user = await lockUser(tx, userId);
        if (!user) return err({ code: 'user_not_found' });
        const enrolled = tx.selectFrom('second_factors').select('user_id').where('user_id', '=', userId);
        if (!(await enrolled.executeTakeFirst())) return NOT_ENROLLED;
        await deleteSecondFactor(tx, userId);
        const row = { at: formatInstant(at), reason };
        await tx
          .insertInto('second_factor_resets')
          .values({ user_id: userId, ...row })
          .onConflict((conflict) => conflict.column('user_id').doUpdateSet(row))
          .execute();
        await insertAuditEvents(tx, [event]);
        return ok(user);
      }),

    async findLastReset(userId) {
      const last = queries.selectFrom('second_factor_resets').select(['at', 'reason']);
      const found = await last.where('user_id', '=', userId).executeTakeFirst();
      return found && Object.freeze(found);
    },

    findPolicy: (accountId) => findPolicy(queries, accountId),

    setPolicy: (accountId, policy, audit) =>
      commitDurably(queries, async (tx) => {
        const account = await lockAccount(tx, accountId);
        const before = await findPolicy(tx, accountId);
        if (!account || before === undefined) return err({ code: 'account_not_found' });
        const event = audit(before);
        if (!(await actorMayAct(tx, event))) return err({ code: 'not_allowed' });
        if (before === policy) return ok({ account, already: true });
        const demanded = policy === 'optional' ? null : policy;
        await tx
          .updateTable('accounts')
          .set({ second_factor: demanded })
          .where('id', '=', accountId)
          .execute();
        await insertAuditEvents(tx, [event]);
        return ok({ account, already: false });
      }),

    async list({ after, limit }) {
      // Uses the index second_factors_pkey.
      const page = queries
        .selectFrom('second_factors')
        .select(['user_id as userId', 'sealed_secret as sealedSecret', 'enrolled_at as enrolledAt'])
        .orderBy('user_id')
        .limit(limit);
      const rows = await (after === undefined ? page : page.where('user_id', '>', after)).execute();
      return rows.map((row) => Object.freeze(row));
    },

    async reseal(resealings) {
      if (resealings.length === 0) return;
      await commitDurably(queries, (tx) =>
        // In the order of the ids, so that two runs at once do not wait for each other.
        sql`
          with resealed as (
            select second_factors.user_id, given."to" from second_factors
            join jsonb_to_recordset(${JSON.stringify(resealings)}::jsonb)
              as given ("userId" bigint, "from" text, "to" text)
              on given."userId" = second_factors.user_id and given."from" = second_factors.sealed_secret
            order by second_factors.user_id for update of second_factors
          )
          update second_factors set sealed_secret = resealed."to" from resealed
          where second_factors.user_id = resealed.user_id`.execute(tx),
      );
    },
  };
}

async function findPolicy(db: Queries, accountId: Parameters<SecondFactorRepository['findPolicy']>[0]) {
  const found = await db
    .selectFrom('accounts')
    .select('second_factor')
    .where('id', '=', accountId)
    .where(onPrimary)
    .executeTakeFirst();
  return found && policyOf(found);
}

/** Whether the session exists and is of this user. The caller must have locked the row of the user. */
async function isOwnSession(tx: Queries, userId: UserId, id: SessionId): Promise<boolean> {
  const session = tx.selectFrom('sessions').select('id').where('id', '=', id).where('user_id', '=', userId);
  return (await session.executeTakeFirst()) !== undefined;
}
