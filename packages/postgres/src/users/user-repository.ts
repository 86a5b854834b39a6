import { err, ok } from '@gatehouse/domain';
import { formatInstant } from '@gatehouse/domain/time';
import type { UserRepository } from '@gatehouse/domain/users';
import { expectViolation } from '@gatehouse/extension-kit/postgres';
import { joinedAccountColumns, toJoinedAccount } from '../accounts/account-records.ts';
import { insertAuditEvents } from '../audit/audit-events.ts';
import type { Database } from '../database/database.ts';
import { unlessUnstorable } from '../database/faults.ts';
import { commitDurably } from '../database/statements/commit-durably.ts';
import { compileOnce } from '../database/statements/compile-once.ts';
import { lockAccountOf, lockCredentials, lockUser } from '../database/statements/row-locks.ts';
import { secondFactorColumns, toSecondFactorState } from '../second-factor/second-factor-records.ts';
import { endSessionsOf, haveChanged, renewSecret } from '../sessions/session-changes.ts';
import { listLiveTokens } from '../tokens/token-queries.ts';
import { accountUsers, isFoundBy } from './account-users.ts';
import { actorMayAct } from './acting-admin.ts';
import { isLastAdmin, selectAdmins } from './active-admins.ts';
import { changeRole } from './change-role.ts';
import { disableUser } from './disable-user.ts';
import { insertUser } from './insert-user.ts';
import { forgetNormalHash, isNormalHash, noteNormalHash } from './normal-hashes.ts';
import { setHash } from './set-hash.ts';
import { listStrayEmails } from './stray-emails.ts';
import {
  type EmailKeys,
  emailKeysOf,
  formerFirst,
  isStoredUnder,
  joinedUserColumns,
  selectUsers,
  toJoinedUser,
} from './user-records.ts';

const NONE = { rows: [] };

/** Creates the repository of users in PostgreSQL. */
export function createPostgresUserRepository({ queries }: Database): UserRepository {
  // Uses the indexes users_email_key_unique, accounts_pkey and normal_passwords_pkey.
  const credentialsByEmail = compileOnce(queries, (keys: EmailKeys) =>
    queries
      .selectFrom('users')
      .innerJoin('accounts', 'accounts.id', 'users.account_id')
      .leftJoin('normal_passwords', 'normal_passwords.user_id', 'users.id')
      .select(isNormalHash.as('isNormal'))
      .select(['users.id as user_id', 'users.account_id', 'users.password_hash as passwordHash'])
      .select([...joinedUserColumns, ...joinedAccountColumns, ...secondFactorColumns])
      .where(isStoredUnder(keys))
      .orderBy(formerFirst(keys))
      .limit(1),
  );

  return {
    insert(inserting, audit) {
      const inserted = queries.transaction().execute(async (tx) => {
        const user = await insertUser(tx, inserting);
        if (!user) return err({ code: 'email_taken' });
        const proved = { user_id: user.id, email_proved_at: formatInstant(user.createdAt) };
        await tx.insertInto('sign_in_means').values(proved).execute();
        await insertAuditEvents(tx, [audit(user)]);
        return ok(user);
      });
      return inserted.catch(expectViolation('users_account_id_fkey', { code: 'account_not_found' }));
    },

    async findById(id) {
      // Uses the index users_pkey.
      const user = await selectUsers(queries).where('id', '=', id).executeTakeFirst();
      return user && Object.freeze(user);
    },

    async findByEmail(email) {
      const keys = emailKeysOf(email);
      const stored = selectUsers(queries).where(isStoredUnder(keys)).orderBy(formerFirst(keys)).limit(1);
      const user = await stored.executeTakeFirst().catch(unlessUnstorable(undefined));
      return user && Object.freeze(user);
    },

    async findCredentials(email) {
      const found = queries.executeQuery(credentialsByEmail(emailKeysOf(email)));
      const [row] = (await found.catch(unlessUnstorable(NONE))).rows;
      const passwordHash = row?.passwordHash ?? null;
      if (row === undefined || passwordHash === null) return undefined;
      const passwordForm = row.isNormal ? 'normal' : 'as-typed';
      const user = toJoinedUser(row);
      const account = toJoinedAccount(row);
      const secondFactor = toSecondFactorState(row);
      return Object.freeze({ user, account, passwordHash, passwordForm, secondFactor });
    },

    ...accountUsers(queries),

    async list({ accountId, search, after, limit }) {
      let page = selectUsers(queries).orderBy('id').limit(limit);
      // Uses the index users_account_id; for all accounts, users_pkey.
      if (accountId !== undefined) page = page.where('account_id', '=', accountId);
      if (after !== undefined) page = page.where('id', '>', after);
      if (search !== undefined) page = page.where(isFoundBy(search));
      return (await page.execute()).map((user) => Object.freeze(user));
    },

    async listAdmins(accountId, limit) {
      const admins = await selectAdmins(queries, accountId).orderBy('id').limit(limit).execute();
      return admins.map((admin) => Object.freeze(admin));
    },

    listStrayEmails: (limit) => listStrayEmails(queries, limit),

    listLiveTokens: listLiveTokens(queries),

    disable: disableUser(queries),

    enable: (id, event) =>
      queries.transaction().execute(async (tx) => {
        await lockAccountOf(tx, id);
        if (!(await actorMayAct(tx, event))) return err({ code: 'not_allowed' });
        const user = await lockUser(tx, id);
        if (!user) return err({ code: 'user_not_found' });
        if (user.disabledAt === null) return ok({ user, already: true });
        await tx.updateTable('users').set({ disabled_at: null }).where('id', '=', id).execute();
        await insertAuditEvents(tx, [event]);
        return ok({ user: { ...user, disabledAt: null }, already: false });
      }),

    setRole: (id, role, audit) =>
      commitDurably(queries, async (tx) => {
        await lockAccountOf(tx, id);
        const user = await lockUser(tx, id);
        if (!user) return err({ code: 'user_not_found' });
        const event = audit(user);
        if (!(await actorMayAct(tx, event))) return err({ code: 'not_allowed' });
        if (user.role === role) return ok({ user, already: true });
        if (await isLastAdmin(tx, user)) return err({ code: 'last_admin' });
        return ok({ user: await changeRole(tx, user, role, event), already: false });
      }),

    rename: (id, name, audit) =>
      queries.transaction().execute(async (tx) => {
        const user = await lockUser(tx, id);
        if (!user || user.disabledAt !== null) return err({ code: 'user_not_found' });
        if (user.name === name) return ok({ user, already: true });
        await tx.updateTable('users').set({ name }).where('id', '=', id).execute();
        await insertAuditEvents(tx, [audit(user)]);
        return ok({ user: { ...user, name }, already: false });
      }),

    setPassword: (id, hash, revocation, event) =>
      commitDurably(queries, async (tx) => {
        const user = await lockUser(tx, id);
        if (user?.kind !== 'person') return err({ code: 'user_not_found' });
        const signedOut = await setHash(tx, id, hash, revocation, event);
        await endSessionsOf(tx, id);
        await insertAuditEvents(tx, [event]);
        return ok({ user, signedOut });
      }),

    changePassword: (id, hash, { kept, renewal, ...verified }, revocation, event) =>
      commitDurably(queries, async (tx) => {
        const user = await lockCredentials(tx, id);
        if (user && haveChanged(user, verified)) return err({ code: 'password_changed' });
        const renewed = user && (await renewSecret(tx, { id: kept, userId: id }, revocation.at, renewal));
        if (!renewed) return err({ code: 'session_not_found' });
        await setHash(tx, id, hash, revocation, event);
        await endSessionsOf(tx, id, kept);
        await insertAuditEvents(tx, [event]);
        return ok(undefined);
      }),

    replacePasswordHash: (id, { verified, hash, form }) =>
      queries.transaction().execute(async (tx) => {
        // If another transaction is setting a new password, this statement waits for it. Then the stored hash is no
        // longer `verified`, and nothing is replaced.
        const replaced = await tx
          .updateTable('users')
          .set({ password_hash: hash })
          .where('id', '=', id)
          .where('password_hash', '=', verified)
          .returning('id')
          .executeTakeFirst();
        if (replaced) await (form === 'normal' ? noteNormalHash(tx, id, hash) : forgetNormalHash(tx, id));
      }),
  };
}
