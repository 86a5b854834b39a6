import type { ResetLinkRepository } from '@gatehouse/domain/links';
import { addMilliseconds, formatInstant } from '@gatehouse/domain/time';
import { emailKey, type User } from '@gatehouse/domain/users';
import { sql } from 'kysely';
import { insertAuditEvents } from '../audit/audit-events.ts';
import type { Queries } from '../database/schema.ts';
import { commitDurably } from '../database/statements/commit-durably.ts';
import { moment } from '../database/statements/conditions.ts';
import { lockUser } from '../database/statements/row-locks.ts';
import { readMeans } from '../identity-providers/sign-in-means.ts';
import { emailKeysOf, formerFirst, isStoredUnder, selectUsers } from '../users/user-records.ts';
import { selectLiving } from './reset-link-records.ts';
import { lockAccountOfUser, storeLink, wasAdmin } from './store-link.ts';

type Request = ResetLinkRepository['request'];
type Asked = Parameters<Request>[0];

/** Notes that someone asked for a link for an address, and stores one for a user who may have it. */
export function requestLink(queries: Queries): Request {
  return ({ email, ...options }, make) => {
    // PostgreSQL stores no U+0000. Without them first, a spelling with one would have a key and a pause of its own.
    const asked = { ...options, email: email.replaceAll('\u0000', '') };
    // The transaction writes a row for every address, so it waits for the disk whether or not a user has the address.
    return commitDurably(queries, async (tx) => {
      if (!(await noteRequest(tx, asked))) return;
      const user = await findPossible(tx, asked);
      if (!user) return;
      const { link, event } = make(user);
      await storeLink(tx, link);
      await insertAuditEvents(tx, [event]);
    });
  };
}

/** Returns whether enough time has passed since the request before. Of requests at the same time, one is noted. */
async function noteRequest(tx: Queries, { email, at, pauseMs }: Asked): Promise<boolean> {
  const { rows } = await sql`
    insert into reset_requests (email_key_hash, at)
    values (sha256(convert_to(${emailKey(email)}, 'UTF8')), ${formatInstant(at)})
    on conflict (email_key_hash) do update set at = excluded.at
      where reset_requests.at <= ${moment(addMilliseconds(at, -pauseMs))}
    returning 1`.execute(tx);
  return rows.length > 0;
}

/** Finds the user with the address, locked, if the user may have a link by asking for it. */
async function findPossible(tx: Queries, { email, at }: Asked): Promise<User | undefined> {
  const keys = emailKeysOf(email);
  const found = await selectUsers(tx)
    .where(isStoredUnder(keys))
    .orderBy(formerFirst(keys))
    .limit(1)
    .executeTakeFirst();
  const account = found && (await lockAccountOfUser(tx, found.id));
  if (!found || account?.suspendedAt !== null) return undefined;
  const user = await lockUser(tx, found.id);
  if (user?.kind !== 'person' || user.disabledAt !== null) return undefined;
  if (await wasAdmin(tx, user.id)) return undefined;
  if (!(await readMeans(tx, user.id))?.hasPassword) return undefined;
  const open = await selectLiving(tx, moment(at)).where('link.user_id', '=', user.id).executeTakeFirst();
  return open && !open.link_is_mailed ? undefined : user;
}
