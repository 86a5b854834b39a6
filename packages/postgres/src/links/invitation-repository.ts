import { err, ok } from '@gatehouse/domain';
import type { Account } from '@gatehouse/domain/accounts';
import type { InvitationRepository, LinkCodeHash, NewInvitation } from '@gatehouse/domain/links';
import { emailKey } from '@gatehouse/domain/users';
import { selectAccounts } from '../accounts/account-records.ts';
import { insertAuditEvents } from '../audit/audit-events.ts';
import type { Database } from '../database/database.ts';
import { rowOf } from '../database/domain-names.ts';
import type { Queries } from '../database/schema.ts';
import { commitDurably } from '../database/statements/commit-durably.ts';
import { moment } from '../database/statements/conditions.ts';
import { lockAccount } from '../database/statements/row-locks.ts';
import { actorMayAct } from '../users/acting-admin.ts';
import { insertUser } from '../users/insert-user.ts';
import { emailKeysOf, isStoredUnder } from '../users/user-records.ts';
import {
  selectAcceptable,
  selectInvitations,
  selectLiving,
  selectOpenInvitations,
  toInvitation,
} from './invitation-records.ts';
import { bytesOf, codeColumns, noteProof } from './link-records.ts';

/**
 * Creates the repository of invitations in PostgreSQL. Every change locks the account first, so the changes of an
 * account's invitations happen one after the other.
 */
export function createPostgresInvitationRepository({ queries }: Database): InvitationRepository {
  return {
    insert: (invitation, limit, audit) =>
      commitDurably(queries, async (tx) => {
        const { accountId, invitedBy, createdAt, id } = invitation;
        if (!(await actorMayAct(tx, audit.created))) return err({ code: 'not_allowed' });
        if (!(await lockAccount(tx, accountId))) return err({ code: 'account_not_found' });
        if (await hasUser(tx, invitation)) return err({ code: 'email_taken' });

        const ofAccount = tx.deleteFrom('invitations').where('account_id', '=', accountId);
        await ofAccount.where('expires_at', '<=', moment(createdAt)).execute();
        // At most as many as the limit.
        const open = await selectOpenInvitations(tx, createdAt)
          .select('invitations.email_key')
          .where('invitations.account_id', '=', accountId)
          .execute();
        const replaced = open.find((each) => each.email_key === emailKey(invitation.email));
        if (replaced?.invited_by === null && invitedBy !== null)
          return err({ code: 'invitation_of_operator' });
        if (!replaced && open.length >= limit) return err({ code: 'too_many_invitations' });
        if (replaced) {
          await deleteInvitation(tx, replaced.id);
          await insertAuditEvents(tx, [audit.replaced(toInvitation(replaced))]);
        }
        const { codeHash, isMailed, ...shown } = invitation;
        const row = {
          ...rowOf({ ...shown, emailKey: emailKey(invitation.email) }),
          ...codeColumns({ codeHash, isMailed }),
        };
        await tx.insertInto('invitations').values(row).execute();
        await insertAuditEvents(tx, [audit.created]);
        return ok(
          toInvitation(
            await selectInvitations(tx).where('invitations.id', '=', id).executeTakeFirstOrThrow(),
          ),
        );
      }),

    async findByCode(hash, at) {
      const found = await selectAcceptable(queries, hash, at).executeTakeFirst();
      const account = found && (await findAccount(queries, found.accountId));
      if (!found || account?.suspendedAt !== null) return undefined;
      return Object.freeze({ invitation: toInvitation(found), account: Object.freeze(account) });
    },

    renewCode: (id, codeHash, at) =>
      commitDurably(queries, async (tx) => {
        const place = await selectInvitations(tx).where('invitations.id', '=', id).executeTakeFirst();
        const account = place && (await lockAccount(tx, place.accountId));
        if (account?.suspendedAt !== null) return undefined;
        const found = await selectLiving(tx, at).where('invitations.id', '=', id).executeTakeFirst();
        if (!found?.isMailed) return undefined;
        const renewed = tx.updateTable('invitations').set(codeColumns({ codeHash, isMailed: true }));
        await renewed.where('id', '=', id).execute();
        return Object.freeze({ invitation: toInvitation(found), account: Object.freeze(account) });
      }),

    async list({ accountId, at, after, limit }) {
      let page = selectOpenInvitations(queries, at).orderBy('invitations.id').limit(limit);
      // Uses the index invitations_account_id_email_key_key; for all accounts, invitations_pkey.
      if (accountId !== undefined) page = page.where('invitations.account_id', '=', accountId);
      if (after !== undefined) page = page.where('invitations.id', '>', after);
      return Object.freeze((await page.execute()).map(toInvitation));
    },

    revoke: (id, { at, by }, audit) =>
      commitDurably(queries, async (tx) => {
        const first = await selectOpenInvitations(tx, at).where('invitations.id', '=', id).executeTakeFirst();
        if (!first || (by && by.accountId !== first.accountId)) return err({ code: 'invitation_not_found' });
        const invitation = toInvitation(first);
        const event = audit(invitation);
        if (!(await actorMayAct(tx, event))) return err({ code: 'not_allowed' });
        if (by && invitation.invitedBy === null) return err({ code: 'invitation_of_operator' });
        await lockAccount(tx, invitation.accountId);
        // Another transaction may have ended it before this one had the lock.
        if (!(await deleteInvitation(tx, id))) return err({ code: 'invitation_not_found' });
        await insertAuditEvents(tx, [event]);
        return ok(invitation);
      }),

    accept: (hash, { name, passwordHash, at }, audit) =>
      commitDurably(queries, async (tx) => {
        const account = await lockAccountByCode(tx, hash);
        if (account?.suspendedAt !== null) return err({ code: 'link_not_accepted' });
        const found = await selectAcceptable(tx, hash, at).executeTakeFirst();
        if (!found) return err({ code: 'link_not_accepted' });
        const { accountId, email, role } = found;
        const created = await insertUser(tx, { accountId, email, name, role, passwordHash, createdAt: at });
        if (!created) return err({ code: 'link_not_accepted' });
        if (found.isMailed) await noteProof(tx, created.id, at);
        await deleteInvitation(tx, found.id);
        await insertAuditEvents(tx, audit(created, toInvitation(found)));
        return ok(created);
      }),
  };
}

async function hasUser(tx: Queries, { accountId, email }: NewInvitation): Promise<boolean> {
  const own = tx
    .selectFrom('users')
    .select('id')
    .where(isStoredUnder(emailKeysOf(email)))
    .where('account_id', '=', accountId);
  return (await own.executeTakeFirst()) !== undefined;
}

async function lockAccountByCode(tx: Queries, hash: LinkCodeHash): Promise<Account | undefined> {
  const place = await tx
    .selectFrom('invitations')
    .select('account_id')
    .where('code_hash', '=', bytesOf(hash))
    .executeTakeFirst();
  return place && lockAccount(tx, place.account_id);
}

const findAccount = (db: Queries, id: Account['id']) =>
  selectAccounts(db).where('id', '=', id).executeTakeFirst();

/** Returns whether the invitation was there. */
async function deleteInvitation(tx: Queries, id: NewInvitation['id']): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('invitations')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}
