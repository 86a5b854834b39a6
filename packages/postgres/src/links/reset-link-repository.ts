import { err, ok } from '@gatehouse/domain';
import type { LinkCodeHash, ResetLink, ResetLinkRepository } from '@gatehouse/domain/links';
import { formatInstant, type Instant } from '@gatehouse/domain/time';
import type { User } from '@gatehouse/domain/users';
import { sql } from 'kysely';
import { insertAuditEvents } from '../audit/audit-events.ts';
import type { Database } from '../database/database.ts';
import type { Queries } from '../database/schema.ts';
import { commitDurably } from '../database/statements/commit-durably.ts';
import { moment } from '../database/statements/conditions.ts';
import { lockUser } from '../database/statements/row-locks.ts';
import { endSessionsOf } from '../sessions/session-changes.ts';
import { actorMayAct } from '../users/acting-admin.ts';
import { setHash } from '../users/set-hash.ts';
import { bytesOf, codeColumns, noteProof } from './link-records.ts';
import { requestLink } from './request-link.ts';
import { selectLiving, selectUsable, toOpenResetLink } from './reset-link-records.ts';
import { lockAccountOfUser, storeLink, wasAdmin } from './store-link.ts';

/** Creates the repository of password-reset links in PostgreSQL. Every change locks the account and then the user. */
export function createPostgresResetLinkRepository({ queries }: Database): ResetLinkRepository {
  return {
    insert: (link, event) =>
      commitDurably(queries, async (tx) => {
        const { userId, madeBy } = link;
        if (!(await actorMayAct(tx, event))) return err({ code: 'not_allowed' });
        const account = await lockAccountOfUser(tx, userId);
        const user = account && (await lockUser(tx, userId));
        if (user?.kind !== 'person') return err({ code: 'user_not_found' });
        if (user.disabledAt !== null) return err({ code: 'user_disabled' });
        if (madeBy !== null && (await wasAdmin(tx, userId))) return err({ code: 'link_for_admin' });
        await storeLink(tx, link);
        await insertAuditEvents(tx, [event]);
        return ok(user);
      }),

    findByCode: (hash, at) => findUsable(queries, hash, at),

    renewCode: ({ userId: id, createdAt }, codeHash, at) =>
      commitDurably(queries, async (tx) => {
        await lockAccountOfUser(tx, id);
        await lockUser(tx, id);
        const row = await selectLiving(tx, moment(at)).where('link.user_id', '=', id).executeTakeFirst();
        const found = row && toOpenResetLink(row);
        if (!found?.link.isMailed) return undefined;
        if (found.link.createdAt !== createdAt) return undefined;
        const renewed = tx.updateTable('reset_links').set(codeColumns({ codeHash, isMailed: true }));
        await renewed.where('user_id', '=', id).execute();
        return found;
      }),

    request: requestLink(queries),

    async forgetRequests({ before, limit }) {
      const { numAffectedRows } = await sql`
        delete from reset_requests where email_key_hash in (
          select email_key_hash from reset_requests where at < ${moment(before)} limit ${limit}
        )`.execute(queries);
      return Number(numAffectedRows);
    },

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
        const event = audit.reset(user, link);
        await setHash(tx, user.id, passwordHash, { at, by: event.actor, reason }, event);
        await endSessionsOf(tx, user.id);
        await noteReset(tx, user, at, link);
        const proved = link.isMailed && (await noteProof(tx, user.id, at)) ? [audit.proved(user)] : [];
        await insertAuditEvents(tx, [event, ...proved]);
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

/** Stores the reset of a password, with the email of the link's maker, which the maker cannot change. */
async function noteReset(
  tx: Queries,
  { id: userId }: User,
  at: Instant,
  { madeBy, isRequested }: ResetLink,
): Promise<void> {
  const by = isRequested ? userId : madeBy;
  const maker =
    by === null
      ? undefined
      : await tx.selectFrom('users').select('email').where('id', '=', by).executeTakeFirst();
  const row = { at: formatInstant(at), made_by: maker?.email ?? null };
  await tx
    .insertInto('password_resets')
    .values({ user_id: userId, ...row })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(row))
    .execute();
}
