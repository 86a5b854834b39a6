import { err, ok } from '@gatehouse/domain';
import { formatInstant } from '@gatehouse/domain/time';
import {
  canReceiveTokens,
  emailKey,
  namesTaken,
  type User,
  type UserId,
  type UserRepository,
} from '@gatehouse/domain/users';
import type { Kysely, Updateable } from 'kysely';
import { joinedAccountColumns, toJoinedAccount } from '../accounts/account-records.ts';
import { insertAuditEvents } from '../audit/audit-events.ts';
import { commitDurably } from '../database/commit-durably.ts';
import type { Database } from '../database/database.ts';
import { isViolationOf } from '../database/faults.ts';
import { lockAccountOf, lockUser, lockUsers } from '../database/row-locks.ts';
import type { Schema, UserTable } from '../database/schema.ts';
import { endTokensOf } from '../tokens/end-tokens.ts';
import { listLiveTokens } from '../tokens/live-tokens.ts';
import { renamesOf, transferTokens } from '../tokens/transfer-tokens.ts';
import { toUser, userColumns } from './user-records.ts';

const NO_TRANSFER = { transferred: 0, renamed: [] } as const;

/** Creates the repository of users in PostgreSQL. */
export function createPostgresUserRepository({ queries }: Database): UserRepository {
  return {
    async insert({ accountId, email, name, role, passwordHash, createdAt }, audit) {
      try {
        return await queries.transaction().execute(async (tx) => {
          const row = await tx
            .insertInto('users')
            .values({
              account_id: accountId,
              email,
              email_key: emailKey(email),
              name,
              role,
              password_hash: passwordHash,
              created_at: formatInstant(createdAt),
            })
            .onConflict((conflict) => conflict.column('email_key').doNothing())
            .returning(userColumns)
            .executeTakeFirst();
          if (!row) return err({ code: 'email_taken' });
          const user = toUser(row);
          await insertAuditEvents(tx, [audit(user)]);
          return ok(user);
        });
      } catch (error) {
        if (isViolationOf('users_account_id_fkey', error)) return err({ code: 'account_not_found' });
        throw error;
      }
    },

    async findByEmail(email) {
      // users_email_key_unique
      const row = await queries
        .selectFrom('users')
        .select(userColumns)
        .where('email_key', '=', email)
        .executeTakeFirst();
      return row && toUser(row);
    },

    async findCredentials(email) {
      // users_email_key_unique, accounts_pkey
      const row = await queries
        .selectFrom('users')
        .innerJoin('accounts', 'accounts.id', 'users.account_id')
        .select([...userColumns, 'users.password_hash', ...joinedAccountColumns])
        .where('users.email_key', '=', email)
        .executeTakeFirst();
      return (
        row &&
        Object.freeze({ user: toUser(row), account: toJoinedAccount(row), passwordHash: row.password_hash })
      );
    },

    async list({ accountId, after, limit }) {
      let page = queries.selectFrom('users').select(userColumns).orderBy('id').limit(limit);
      // users_account_id, or users_pkey for all
      if (accountId !== undefined) page = page.where('account_id', '=', accountId);
      if (after !== undefined) page = page.where('id', '>', after);
      return (await page.execute()).map(toUser);
    },

    listLiveTokens: (id, options) => listLiveTokens(queries, id, options),

    disable: (id, revocation, event, { transferTo, renameTaken } = {}) =>
      queries.transaction().execute(async (tx) => {
        await commitDurably(tx);
        await lockAccountOf(tx, id);
        const users = await lockUsers(tx, transferTo === undefined ? [id] : [id, transferTo]);
        const user = users.get(id);
        if (!user) return err({ code: 'user_not_found' });
        if (user.disabledAt !== null) return ok({ user, already: true, ...NO_TRANSFER, revoked: 0 });
        if (await isLastAdmin(tx, user)) return err({ code: 'last_admin' });

        if (transferTo !== undefined && !canReceiveTokens(user, users.get(transferTo))) {
          return err({ code: 'transfer_target_not_fit' });
        }
        const transfer = transferTo === undefined ? undefined : { from: id, to: transferTo };
        const renamed = transfer ? await renamesOf(tx, transfer, event.at) : [];
        if (renamed.length > 0 && !renameTaken) return err(namesTaken(renamed));
        const transferred = transfer ? await transferTokens(tx, transfer, renamed, event) : 0;
        const disabled = await update(tx, id, { disabled_at: formatInstant(revocation.at) });
        const revoked = await endTokensOf(tx, { userId: id, kinds: 'all' }, revocation, event);
        await insertAuditEvents(tx, [event]);
        return ok({ user: disabled, already: false, transferred, renamed, revoked });
      }),

    enable: (id, event) =>
      queries.transaction().execute(async (tx) => {
        const user = await lockUser(tx, id);
        if (!user) return err({ code: 'user_not_found' });
        if (user.disabledAt === null) return ok({ user, already: true });
        const enabled = await update(tx, id, { disabled_at: null });
        await insertAuditEvents(tx, [event]);
        return ok({ user: enabled, already: false });
      }),

    setRole: (id, role, audit) =>
      queries.transaction().execute(async (tx) => {
        await commitDurably(tx);
        await lockAccountOf(tx, id);
        const user = await lockUser(tx, id);
        if (!user) return err({ code: 'user_not_found' });
        if (user.role === role) return ok({ user, already: true });
        if (await isLastAdmin(tx, user)) return err({ code: 'last_admin' });
        const changed = await update(tx, id, { role });
        await insertAuditEvents(tx, [audit(user)]);
        return ok({ user: changed, already: false });
      }),

    setPassword: (id, hash, revocation, event) =>
      queries.transaction().execute(async (tx) => {
        await commitDurably(tx);
        const user = await lockUser(tx, id);
        if (!user) return err({ code: 'user_not_found' });
        await tx.updateTable('users').set({ password_hash: hash }).where('id', '=', id).execute();
        const signedOut = await endTokensOf(tx, { userId: id, kinds: 'sign-in' }, revocation, event);
        await insertAuditEvents(tx, [event]);
        return ok({ user, signedOut });
      }),

    async replacePasswordHash(id, { verified, stronger }) {
      // If a new password is being set, this waits for it and then finds another hash.
      await queries
        .updateTable('users')
        .set({ password_hash: stronger })
        .where('id', '=', id)
        .where('password_hash', '=', verified)
        .execute();
    },
  };
}

/** The caller holds the account's row, so that its other users do not change. */
async function isLastAdmin(tx: Kysely<Schema>, user: User): Promise<boolean> {
  if (user.role !== 'admin' || user.disabledAt !== null) return false;
  // users_account_id
  const other = await tx
    .selectFrom('users')
    .select('id')
    .where('account_id', '=', user.accountId)
    .where('id', '<>', user.id)
    .where('role', '=', 'admin')
    .where('disabled_at', 'is', null)
    .limit(1)
    .executeTakeFirst();
  return other === undefined;
}

async function update(tx: Kysely<Schema>, id: UserId, change: Updateable<UserTable>): Promise<User> {
  const row = await tx
    .updateTable('users')
    .set(change)
    .where('id', '=', id)
    .returning(userColumns)
    .executeTakeFirstOrThrow();
  return toUser(row);
}
