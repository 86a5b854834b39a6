import { err, ok } from '@gatehouse/domain';
import {
  isLiveSession,
  type SessionFormKey,
  type SessionRepository,
  type SessionSecretHash,
} from '@gatehouse/domain/sessions';
import { formatInstant } from '@gatehouse/domain/time';
import { type SqlBool, sql } from 'kysely';
import { joinedAccountColumns, toJoinedAccount } from '../accounts/account-records.ts';
import { insertAuditEvents } from '../audit/audit-events.ts';
import type { Database } from '../database/database.ts';
import type { Queries } from '../database/schema.ts';
import { commitDurably } from '../database/statements/commit-durably.ts';
import { lockCredentials, lockUser, shareAccountOf } from '../database/statements/row-locks.ts';
import { sweepOld } from '../database/statements/sweep.ts';
import { secondFactorColumns, toSecondFactorState } from '../second-factor/second-factor-records.ts';
import { actorMayAct } from '../users/acting-admin.ts';
import { joinedUserColumns, toJoinedUser } from '../users/user-records.ts';
import { endOfProvider } from './end-of-provider.ts';
import { bytesOf, insertSession, isLiveOf } from './insert-session.ts';
import { endSessionsOf, haveChanged, renewSecret } from './session-changes.ts';
import { selectSessions, sessionColumns, toSession } from './session-records.ts';

/** Creates the repository of sessions in PostgreSQL. */
export function createPostgresSessionRepository({ queries, inTime }: Database): SessionRepository {
  // Uses the index sessions_secret_hash_key or sessions_replaced_hash, and the indexes users_pkey and accounts_pkey.
  const readBy = (db: Queries, column: 'secret_hash' | 'replaced_hash', hash: SessionSecretHash) =>
    db
      .selectFrom('sessions')
      .innerJoin('users', 'users.id', 'sessions.user_id')
      .innerJoin('accounts', 'accounts.id', 'users.account_id')
      .select([...sessionColumns, 'users.account_id', ...joinedUserColumns, ...joinedAccountColumns])
      .select(secondFactorColumns)
      .select([
        'sessions.secret_hash',
        'sessions.form_key',
        'sessions.replaced_at',
        'sessions.is_renewal_due',
      ])
      .where(`sessions.${column}`, '=', bytesOf(hash))
      .executeTakeFirst();
  return {
    insert: (session, guard, bound, audit) =>
      queries.transaction().execute(async (tx) => {
        const account = await shareAccountOf(tx, session.userId);
        const owner = await lockCredentials(tx, session.userId);
        if (!account || account.suspendedAt !== null || !owner || owner.disabledAt !== null) {
          return err({ code: 'user_not_fit' });
        }
        if (haveChanged(owner, guard)) return err({ code: 'password_changed' });
        await insertSession(tx, session, bound, audit);
        return ok(undefined);
      }),

    async find(secretHash) {
      // Both reads use one connection, so that they wait for a connection only once.
      const reading = queries
        .connection()
        .execute(
          async (db) =>
            (await readBy(db, 'secret_hash', secretHash)) ?? readBy(db, 'replaced_hash', secretHash),
        );
      const row = await inTime(reading);
      return (
        row &&
        Object.freeze({
          ...toSession(row),
          user: toJoinedUser(row),
          account: toJoinedAccount(row),
          secondFactor: toSecondFactorState(row),
          formKey: Buffer.from(row.form_key).toString('hex') as SessionFormKey,
          secretReplacedAt: bytesOf(secretHash).equals(row.secret_hash) ? null : row.replaced_at,
          isRenewalDue: row.is_renewal_due,
        })
      );
    },

    async touch(id, at) {
      const seen = formatInstant(at);
      const session = queries.updateTable('sessions').where('id', '=', id);
      await session.set({ last_seen_at: seen }).where(sql<SqlBool>`last_seen_at < ${seen}`).execute();
    },

    confirmPassword: (own, at, guard, renewal) =>
      commitDurably(queries, async (tx) => {
        const owner = await lockCredentials(tx, own.userId);
        if (owner && haveChanged(owner, guard)) return err({ code: 'password_changed' });
        if (!(await renewSecret(tx, own, at, renewal))) return err({ code: 'session_not_found' });
        const session = tx.updateTable('sessions').where('id', '=', own.id);
        await session.set({ password_given_at: formatInstant(at) }).execute();
        return ok(undefined);
      }),

    renew: (own, at, renewal) =>
      commitDurably(queries, async (tx) => {
        await lockUser(tx, own.userId);
        return renewSecret(tx, own, at, renewal);
      }),

    async list(userId, live) {
      const sessions = selectSessions(queries).where(isLiveOf(userId, live));
      return (await sessions.orderBy('created_at', 'desc').orderBy('id', 'desc').execute()).map(toSession);
    },

    end: (own, event) =>
      commitDurably(queries, async (tx) => {
        const ended = await tx
          .deleteFrom('sessions')
          .where('id', '=', own.id)
          .where('user_id', '=', own.userId)
          .returning('id')
          .executeTakeFirst();
        if (ended) await insertAuditEvents(tx, [event]);
        return ended !== undefined;
      }),

    endOthers: ({ id, userId }, live, audit) =>
      commitDurably(queries, async (tx) => {
        await lockUser(tx, userId);
        const others = await endSessionsOf(tx, userId, id);
        const ended = others.filter((session) => isLiveSession(session, live));
        await insertAuditEvents(tx, ended.map(audit));
        return ended.length;
      }),

    endAll: ({ id, accountId }, live, actor, audit) =>
      commitDurably(queries, async (tx) => {
        if (!(await actorMayAct(tx, { actor, accountId }))) return err({ code: 'not_allowed' });
        await lockUser(tx, id);
        const ended = (await endSessionsOf(tx, id)).filter((session) => isLiveSession(session, live));
        await insertAuditEvents(tx, ended.map(audit));
        return ok(ended.length);
      }),

    endOfProvider: endOfProvider(queries),

    sweep: (old) => sweepOld(queries, 'sessions', old),
  };
}
