import { err, ok } from '@gatehouse/domain';
import type { LinkCodeHash, ResetLinkRepository } from '@gatehouse/domain/links';
import { formatInstant, type Instant } from '@gatehouse/domain/time';
import type { UserId } from '@gatehouse/domain/users';
import { insertAuditEvents } from '../audit/audit-events.ts';
import type { Database } from '../database/database.ts';
import { rowOf } from '../database/domain-names.ts';
import type { Queries } from '../database/schema.ts';
import { commitDurably } from '../database/statements/commit-durably.ts';
import { moment } from '../database/statements/conditions.ts';
import { lockAccount, lockUser } from '../database/statements/row-locks.ts';
import { endSessionsOf } from '../sessions/session-changes.ts';
import { actorMayAct } from '../users/acting-admin.ts';
import { setHash } from '../users/set-hash.ts';
import { bytesOf } from './link-records.ts';
import { selectUsable, toOpenResetLink } from './reset-link-records.ts';

/** Creates the repository of password-reset links in PostgreSQL. Every change locks the account and then the user. */
export function createPostgresResetLinkRepository({ queries }: Database): ResetLinkRepository {
  return {
    insert: (link, event) =>
      commitDurably(queries, async (tx) => {
        const { userId, madeBy, codeHash, ...rest } = link;
        if (!(await actorMayAct(tx, event))) return err({ code: 'not_allowed' });
        const account = await lockAccountOfUser(tx, userId);
        const user = account && (await lockUser(tx, userId));
        if (user?.kind !== 'person') return err({ code: 'user_not_found' });
        if (user.disabledAt !== null) return err({ code: 'user_disabled' });
        if (madeBy !== null && (await wasAdmin(tx, userId))) return err({ code: 'link_for_admin' });
        const row = { ...rowOf({ ...rest, madeBy }), code_hash: bytesOf(codeHash) };
        await tx
          .insertInto('reset_links')
          .values({ ...row, user_id: userId })
          .onConflict((conflict) => conflict.column('user_id').doUpdateSet(row))
          .execute();
        await insertAuditEvents(tx, [event]);
        return ok(user);
      }),

    findByCode: (hash, at) => findUsable(queries, hash, at),

    redeem: (hash, passwordHash, { at, reason }, audit) =>
      commitDurably(queries, async (tx) => {
        const place = await tx
          .selectFrom('reset_links')
          .select('user_id')
          .where('code_hash', '=', bytesOf(hash))
          .executeTakeFirst();
        const account = place && (await lockAccountOfUser(tx, place.user_id));
        if (account) await lockUser(tx, place.user_id);
        // Reads after the locks were waited for, so that a change which came first decides.
        const found = account && (await findUsable(tx, hash, at));
        if (!found) return err({ code: 'link_not_accepted' });
        const { user, link } = found;
        const event = audit(user, link);
        await setHash(tx, user.id, passwordHash, { at, by: event.actor, reason }, event);
        await endSessionsOf(tx, user.id);
        await noteReset(tx, user.id, at, link.madeBy);
        await insertAuditEvents(tx, [event]);
        return ok(user);
      }),

    async findLastReset(id) {
      const found = await queries
        .selectFrom('password_resets')
        .select(['at', 'made_by as madeBy'])
        .where('user_id', '=', id)
        .executeTakeFirst();
      return found && Object.freeze(found);
    },
  };
}

async function findUsable(db: Queries, hash: LinkCodeHash, at: Instant) {
  const row = await selectUsable(db, hash, moment(at)).executeTakeFirst();
  return row && toOpenResetLink(row);
}

async function lockAccountOfUser(tx: Queries, id: UserId) {
  const place = await tx.selectFrom('users').select('account_id').where('id', '=', id).executeTakeFirst();
  return place && lockAccount(tx, place.account_id);
}

async function wasAdmin(tx: Queries, id: UserId): Promise<boolean> {
  const noted = tx.selectFrom('once_admins').select('user_id').where('user_id', '=', id);
  return (await noted.executeTakeFirst()) !== undefined;
}

/** Stores the reset of a password, with the email of the link's maker, which the maker cannot change. */
async function noteReset(tx: Queries, userId: UserId, at: Instant, madeBy: UserId | null): Promise<void> {
  const maker =
    madeBy === null
      ? undefined
      : await tx.selectFrom('users').select('email').where('id', '=', madeBy).executeTakeFirst();
  const row = { at: formatInstant(at), made_by: maker?.email ?? null };
  await tx
    .insertInto('password_resets')
    .values({ user_id: userId, ...row })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(row))
    .execute();
}
