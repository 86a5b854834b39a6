import { err, ok } from '@gatehouse/domain';
import type { IdentityRepository, LinkedIdentity } from '@gatehouse/domain/identity-providers';
import type { UserId } from '@gatehouse/domain/users';
import { insertAuditEvents } from '../audit/audit-events.ts';
import type { Database } from '../database/database.ts';
import type { Queries } from '../database/schema.ts';
import { commitDurably } from '../database/statements/commit-durably.ts';
import { lockUser } from '../database/statements/row-locks.ts';
import { selectUserOf } from './person-facts.ts';
import { settle } from './settle.ts';
import { readMeans } from './sign-in-means.ts';

/** Creates the repository of identities in PostgreSQL. */
export function createPostgresIdentityRepository({ queries }: Database): IdentityRepository {
  return {
    findUser: async (identity) => (await selectUserOf(queries, identity).executeTakeFirst())?.user_id,

    async findMeans(id) {
      const means = await readMeans(queries, id);
      if (!means) return undefined;
      const identities = await selectIdentities(queries, id).execute();
      return Object.freeze({
        identities: Object.freeze(identities.map((identity) => Object.freeze(identity))),
        ...means,
      });
    },

    settle: settle(queries),

    unlink: ({ userId, issuer, mayLackPassword }, audit) =>
      commitDurably(queries, async (tx) => {
        const user = await lockUser(tx, userId);
        if (!user) return err({ code: 'user_not_found' });
        const own = selectIdentities(tx, userId);
        const found = await (issuer === undefined ? own : own.where('issuer', '=', issuer)).execute();
        if (found.length === 0) return err({ code: 'identity_not_found' });
        if (!mayLackPassword && !(await readMeans(tx, userId))?.hasPassword)
          return err({ code: 'password_missing' });
        for (const identity of found) await deleteIdentity(tx, userId, identity);
        await insertAuditEvents(
          tx,
          found.map((identity) => audit(user, identity)),
        );
        return ok(found);
      }),
  };
}

/** Selects the identities of a user, the oldest first. Uses the index identities_user_id_issuer_key. */
export const selectIdentities = (db: Queries, id: UserId) =>
  db
    .selectFrom('identities')
    .select(['issuer', 'subject', 'linked_at as linkedAt', 'confirmed_at as confirmedAt', 'email'])
    .where('user_id', '=', id)
    .orderBy('linked_at')
    .orderBy('issuer');

/** Deletes the identity, and ends the sessions that it opened. The caller must have locked the row of the user. */
export async function deleteIdentity(
  tx: Queries,
  userId: UserId,
  { issuer, subject }: LinkedIdentity,
): Promise<void> {
  const own = tx.deleteFrom('identities').where('issuer', '=', issuer).where('subject', '=', subject);
  await own.execute();
  await tx.deleteFrom('provider_conflicts').where('user_id', '=', userId).execute();
  // Uses the index sessions_user_id.
  const opened = tx.deleteFrom('sessions').where('user_id', '=', userId);
  await opened.where('issuer', '=', issuer).where('subject', '=', subject).execute();
}
