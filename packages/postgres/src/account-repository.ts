import {
  type Account,
  type AccountId,
  type AccountRepository,
  err,
  formatInstant,
  ok,
} from '@gatehouse/domain';
import type { Kysely } from 'kysely';
import { accountColumns, toAccount } from './account-records.ts';
import { insertAuditEvents } from './audit-events.ts';
import { commitDurably } from './commit-durably.ts';
import type { Database } from './database.ts';
import { lockAccount } from './row-locks.ts';
import type { Schema } from './schema.ts';

/** Accounts in PostgreSQL. */
export function createPostgresAccountRepository({ queries }: Database): AccountRepository {
  return {
    insert: ({ name, createdAt }, audit) =>
      queries.transaction().execute(async (tx) => {
        const row = await tx
          .insertInto('accounts')
          .values({ name, created_at: formatInstant(createdAt) })
          .returning(accountColumns)
          .executeTakeFirstOrThrow();
        const account = toAccount(row);
        await insertAuditEvents(tx, [audit(account)]);
        return account;
      }),

    async findById(id) {
      // accounts_pkey
      const row = await queries
        .selectFrom('accounts')
        .select(accountColumns)
        .where('id', '=', id)
        .executeTakeFirst();
      return row && toAccount(row);
    },

    async list() {
      const rows = await queries.selectFrom('accounts').select(accountColumns).orderBy('id').execute();
      return rows.map(toAccount);
    },

    suspend: (id, at, event) =>
      queries.transaction().execute(async (tx) => {
        await commitDurably(tx);
        const account = await lockAccount(tx, id);
        if (!account) return err({ code: 'account_not_found' });
        if (account.suspendedAt !== null) return ok(account);
        const suspended = await update(tx, id, { suspended_at: formatInstant(at) });
        await insertAuditEvents(tx, [event]);
        return ok(suspended);
      }),

    resume: (id, event) =>
      queries.transaction().execute(async (tx) => {
        const account = await lockAccount(tx, id);
        if (!account) return err({ code: 'account_not_found' });
        if (account.suspendedAt === null) return ok(account);
        const resumed = await update(tx, id, { suspended_at: null });
        await insertAuditEvents(tx, [event]);
        return ok(resumed);
      }),
  };
}

async function update(
  tx: Kysely<Schema>,
  id: AccountId,
  change: { readonly suspended_at: string | null },
): Promise<Account> {
  const row = await tx
    .updateTable('accounts')
    .set(change)
    .where('id', '=', id)
    .returning(accountColumns)
    .executeTakeFirstOrThrow();
  return toAccount(row);
}
