import { err, ok } from '@gatehouse/domain';
import { formatInstant } from '@gatehouse/domain/time';
import { TOKEN_KINDS } from '@gatehouse/domain/tokens';
import {
  type DisabledUser,
  namesTaken,
  sortedRenames,
  transferRefusal,
  transfersOf,
  type UserRepository,
} from '@gatehouse/domain/users';
import { insertAuditEvents } from '../audit/audit-events.ts';
import type { Queries } from '../database/schema.ts';
import { commitDurably } from '../database/statements/commit-durably.ts';
import { lockAccountOf, lockUsers } from '../database/statements/row-locks.ts';
import { endLinksOf } from '../links/end-links.ts';
import { endSessionsOf } from '../sessions/session-changes.ts';
import { endTokensOf } from '../tokens/end-tokens.ts';
import { renamesOf, transferTokens } from '../tokens/transfer-tokens.ts';
import { actorMayAct } from './acting-admin.ts';
import { isLastAdmin } from './active-admins.ts';
import { applyFates, findAnsweredBy, refuseFates } from './service-accounts/fates.ts';

const NOTHING_DONE: Omit<DisabledUser, 'user' | 'already'> = {
  transferred: 0,
  renamed: [],
  revoked: 0,
  serviceAccounts: { disabled: 0, given: 0, left: 0 },
};

/** Disables a user. The account is locked first, and everything is checked before anything is changed. */
export function disableUser(db: Queries): UserRepository['disable'] {
  return (id, revocation, event, options = {}) =>
    commitDurably(db, async (tx) => {
      await lockAccountOf(tx, id);
      if (!(await actorMayAct(tx, event))) return err({ code: 'not_allowed' });
      const { renameTaken = false, serviceAccounts: fates = new Map() } = options;
      const planned = transfersOf(options);
      const users = await lockUsers(tx, [id, ...planned.map(({ to }) => to)]);
      const user = users.get(id);
      if (!user) return err({ code: 'user_not_found' });
      if (user.disabledAt !== null) return ok({ user, already: true, ...NOTHING_DONE });
      if (await isLastAdmin(tx, user)) return err({ code: 'last_admin' });

      for (const { to } of planned) {
        const refusal = transferRefusal(user, users.get(to), event);
        if (refusal) return err(refusal);
      }
      const answered = await findAnsweredBy(tx, id);
      const undecided = await refuseFates(tx, user, answered, fates);
      if (undecided) return err(undecided);
      const transfers = [];
      for (const each of planned) {
        const transfer = { ...each, from: id };
        transfers.push({ transfer, renamed: await renamesOf(tx, transfer, event.at) });
      }
      const renamed = sortedRenames(transfers.map((each) => each.renamed));
      if (renamed.length > 0 && !renameTaken) return err(namesTaken(renamed));

      let transferred = 0;
      for (const each of transfers)
        transferred += await transferTokens(tx, each.transfer, each.renamed, event);
      const serviceAccounts = await applyFates(tx, answered, fates, revocation, event);
      const change = { disabled_at: formatInstant(revocation.at) };
      await tx.updateTable('users').set(change).where('id', '=', id).execute();
      const revoked = await endTokensOf(tx, id, TOKEN_KINDS, revocation, event);
      await endSessionsOf(tx, id);
      await endLinksOf(tx, id, event);
      await insertAuditEvents(tx, [event]);
      const disabled = { ...user, disabledAt: revocation.at };
      return ok({ user: disabled, already: false, transferred, renamed, revoked, serviceAccounts });
    });
}
