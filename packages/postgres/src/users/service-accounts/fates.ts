import type { AuditEvent } from '@gatehouse/domain/audit';
import { formatInstant } from '@gatehouse/domain/time';
import { type Revocation, TOKEN_KINDS } from '@gatehouse/domain/tokens';
import {
  canAnswer,
  type DisabledUser,
  type ResponsibleNotFit,
  type ServiceAccountFate,
  type ServiceAccountsUndecided,
  serviceAccountEnded,
  serviceAccountUpdated,
  type User,
  type UserId,
} from '@gatehouse/domain/users';
import { insertAuditEvents } from '../../audit/audit-events.ts';
import type { Queries } from '../../database/schema.ts';
import { lockUsers } from '../../database/statements/row-locks.ts';
import { endTokensOf } from '../../tokens/end-tokens.ts';
import { findUser, selectServiceAccounts, toServiceAccount } from './service-account-records.ts';

/*
 * The service accounts for which a user answers, when the user is disabled. The caller must have locked
 * the account, so that no other service account is given to the user meanwhile.
 */

type Fates = ReadonlyMap<UserId, ServiceAccountFate> | 'leave';

/** Finds the active service accounts for which the user answers. Uses the index service_users_responsible_id. */
export async function findAnsweredBy(tx: Queries, id: UserId) {
  const rows = await selectServiceAccounts(tx)
    .where('service_users.responsible_id', '=', id)
    .where('users.disabled_at', 'is', null)
    .orderBy('service_users.user_id')
    .execute();
  return rows.map(toServiceAccount);
}

type Answered = Awaited<ReturnType<typeof findAnsweredBy>>;

export async function refuseFates(
  tx: Queries,
  from: User,
  answered: Answered,
  fates: Fates,
): Promise<ResponsibleNotFit | ServiceAccountsUndecided | undefined> {
  if (fates === 'leave') return undefined;
  const undecided = answered.filter(({ user }) => !fates.has(user.id));
  if (undecided.length > 0) {
    const named = undecided.map(({ user: { id, name } }) => ({ id, name }));
    return { code: 'service_accounts_undecided', undecided: named.slice(0, 100) };
  }
  for (const fate of fates.values()) {
    if (typeof fate !== 'object') continue;
    if (fate.giveTo === from.id || !canAnswer(await findUser(tx, fate.giveTo), from))
      return { code: 'responsible_not_fit' };
  }
  return undefined;
}

/** Does to each service account what was chosen, with an event, and returns the numbers. */
export async function applyFates(
  tx: Queries,
  answered: Answered,
  fates: Fates,
  revocation: Revocation,
  event: AuditEvent,
): Promise<DisabledUser['serviceAccounts']> {
  const numbers = { disabled: 0, given: 0, left: 0 };
  const { actor, origin } = event;
  for (const before of answered) {
    const { user } = before;
    const fate = fates === 'leave' ? 'leave' : (fates.get(user.id) ?? 'leave');
    if (fate === 'leave') numbers.left += 1;
    else if (fate === 'disable') {
      numbers.disabled += 1;
      await lockUsers(tx, [user.id]);
      const change = { disabled_at: formatInstant(revocation.at) };
      await tx.updateTable('users').set(change).where('id', '=', user.id).execute();
      await endTokensOf(tx, user.id, TOKEN_KINDS, revocation, event);
      await insertAuditEvents(tx, [{ ...serviceAccountEnded(user, revocation), actor, origin }]);
    } else {
      numbers.given += 1;
      const responsible = await findUser(tx, fate.giveTo);
      if (!responsible) throw new Error('the receiver was found before');
      const change = { responsible_id: responsible.id };
      await tx.updateTable('service_users').set(change).where('user_id', '=', user.id).execute();
      const updated = serviceAccountUpdated(before, { ...before, responsible }, revocation.at);
      await insertAuditEvents(tx, [{ ...updated, actor, origin }]);
    }
  }
  return numbers;
}
