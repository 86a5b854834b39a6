import { err, ok } from '@gatehouse/domain';
import { ALL_NOTICES, type NoticePreferenceRepository } from '@gatehouse/domain/mail';
import type { UserId } from '@gatehouse/domain/users';
import { insertAuditEvents } from '../audit/audit-events.ts';
import type { Database } from '../database/database.ts';
import type { Queries } from '../database/schema.ts';
import { lockUser } from '../database/statements/row-locks.ts';

/** Creates the repository of the messages that users get, in PostgreSQL. */
export function createPostgresNoticePreferences({ queries }: Database): NoticePreferenceRepository {
  return {
    find: (id) => find(queries, id),

    set: (id, { tokens, account }, event) =>
      queries.transaction().execute(async (tx) => {
        const user = await lockUser(tx, id);
        if (user?.kind !== 'person') return err({ code: 'user_not_found' });
        const before = await find(tx, id);
        if (before.tokens === tokens && before.account === account) return ok({ already: true });
        await tx
          .insertInto('notice_preferences')
          .values({ user_id: id, tokens, account })
          .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ tokens, account }))
          .execute();
        await insertAuditEvents(tx, [event]);
        return ok({ already: false });
      }),
  };
}

async function find(db: Queries, id: UserId) {
  const found = await db
    .selectFrom('notice_preferences')
    .select(['tokens', 'account'])
    .where('user_id', '=', id)
    .executeTakeFirst();
  return found ? Object.freeze(found) : ALL_NOTICES;
}
