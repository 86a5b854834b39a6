import { emailKey, err, formatInstant, ok, type UserRepository } from '@gatehouse/domain';
import { joinedAccountColumns, toJoinedAccount } from './account-records.ts';
import { insertAuditEvents } from './audit-events.ts';
import { commitDurably } from './commit-durably.ts';
import type { Database } from './database.ts';
import { endTokensOf } from './end-tokens.ts';
import { isViolationOf } from './faults.ts';
import { lockAccountOf, lockUser } from './row-locks.ts';
import { toUser, userColumns } from './user-records.ts';

/** Users in PostgreSQL. */
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

    async findById(id) {
      // users_pkey
      const row = await queries
        .selectFrom('users')
        .select(userColumns)
        .where('id', '=', id)
        .executeTakeFirst();
      return row && toUser(row);
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

    async list({ accountId }) {
      const all = queries.selectFrom('users').select(userColumns).orderBy('id');
      // users_account_id
      const listed = accountId === undefined ? all : all.where('account_id', '=', accountId);
      return (await listed.execute()).map(toUser);
    },

    disable: (id, revocation, event) =>
      queries.transaction().execute(async (tx) => {
        await commitDurably(tx);
        await lockAccountOf(tx, id);
        const user = await lockUser(tx, id);
        if (!user) return err({ code: 'user_not_found' });
        if (user.disabledAt !== null) return ok(user);
        // users_account_id
        const otherAdmin = await tx
          .selectFrom('users')
          .select('id')
          .where('account_id', '=', user.accountId)
          .where('id', '<>', id)
          .where('role', '=', 'admin')
          .where('disabled_at', 'is', null)
          .limit(1)
          .executeTakeFirst();
        if (user.role === 'admin' && !otherAdmin) return err({ code: 'last_admin' });

        const disabled = await tx
          .updateTable('users')
          .set({ disabled_at: formatInstant(revocation.at) })
          .where('id', '=', id)
          .returning(userColumns)
          .executeTakeFirstOrThrow();
        await endTokensOf(tx, { userId: id, kinds: 'all' }, revocation, event);
        await insertAuditEvents(tx, [event]);
        return ok(toUser(disabled));
      }),

    setPassword: (id, hash, revocation, event) =>
      queries.transaction().execute(async (tx) => {
        await commitDurably(tx);
        const user = await lockUser(tx, id);
        if (!user) return err({ code: 'user_not_found' });
        await tx.updateTable('users').set({ password_hash: hash }).where('id', '=', id).execute();
        await endTokensOf(tx, { userId: id, kinds: 'sign-in' }, revocation, event);
        await insertAuditEvents(tx, [event]);
        return ok(user);
      }),

    async replacePasswordHash(id, { verified, stronger }) {
      // Should a new password be under way, this waits for it and then finds another hash.
      await queries
        .updateTable('users')
        .set({ password_hash: stronger })
        .where('id', '=', id)
        .where('password_hash', '=', verified)
        .execute();
    },
  };
}
