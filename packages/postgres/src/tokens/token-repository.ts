import { err, ok } from '@gatehouse/domain';
import { actingUser } from '@gatehouse/domain/audit';
import { formatInstant } from '@gatehouse/domain/time';
import { limitProblem } from '@gatehouse/domain/token-policy';
import type { TokenId, TokenRepository } from '@gatehouse/domain/tokens';
import { sql } from 'kysely';
import { insertAuditEvents } from '../audit/audit-events.ts';
import type { Database } from '../database/database.ts';
import { commitDurably } from '../database/statements/commit-durably.ts';
import { compileOnce } from '../database/statements/compile-once.ts';
import { lockRules } from '../token-policy/lock-rules.ts';
import { forgetAddresses } from '../usage/address-records.ts';
import { actorMayAct } from '../users/acting-admin.ts';
import { endOldestSignIns } from './end-tokens.ts';
import { giveToken } from './give-token.ts';
import { insertSignIn } from './insert-sign-in.ts';
import { insertToken, reserveName } from './insert-token.ts';
import { tokenLists } from './lists/token-lists.ts';
import { tokenPruning } from './prune-tokens.ts';
import { revokeTokens } from './revoke-tokens.ts';
import { rotateToken } from './rotate-token.ts';
import { describeToken } from './token-descriptions.ts';
import { tokenReading } from './token-queries.ts';
import { selectTokenRecords, selectTokenRecordsById, toTokenRecord } from './token-records.ts';
import { updateToken } from './update-token.ts';

/** Creates the repository of tokens in PostgreSQL. */
export function createPostgresTokenRepository({ queries, shareReads }: Database): TokenRepository {
  const recordsById = compileOnce(queries, (values: { readonly ids: readonly TokenId[] }) =>
    selectTokenRecordsById(queries, values),
  );
  const readRecord = shareReads({
    kind: 'token records',
    async readAll(ids: readonly TokenId[]) {
      const { rows } = await queries.executeQuery(recordsById({ ids }));
      const found = new Map(rows.map((row) => [row.id, row]));
      return ids.map((id) => found.get(id));
    },
  });

  async function findRecord(id: TokenId) {
    const row = await readRecord(id);
    return row && toTokenRecord(row);
  }

  return {
    async insert(token, event, description = null) {
      const refusal = await queries.transaction().execute(async (tx) => {
        const maker = actingUser(event);
        // Before the other locks, because it locks the account for a change. An owner who acts is checked with the
        // token.
        if (maker !== undefined && maker !== token.userId && !(await actorMayAct(tx, event)))
          return { code: 'not_allowed' } as const;
        await reserveName(tx, token);
        const locked = await lockRules(tx, token);
        const broken = locked && limitProblem(locked.rules, locked.holder, token, token.createdAt);
        if (broken) return broken;
        const code = await insertToken(tx, token, event);
        if (code !== undefined) return { code };
        if (description !== null) await describeToken(tx, token.id, description);
        return undefined;
      });
      return refusal ? err(refusal) : ok(undefined);
    },

    insertSignIn: insertSignIn(queries),

    rotate: rotateToken(queries),

    findRecord,

    async findRecords(ids) {
      // Uses the indexes tokens_pkey, users_pkey, accounts_pkey and signing_keys_pkey.
      const rows = await selectTokenRecords(queries)
        .where('tokens.id', '=', sql<TokenId>`any(${ids}::uuid[])`)
        .execute();
      return rows.map(toTokenRecord);
    },

    ...tokenReading(queries),

    revokeSeveral: revokeTokens(queries),

    update: updateToken(queries),

    give: giveToken(queries),

    ...tokenLists(queries),

    endOldestSignIns: endOldestSignIns(queries),

    ...tokenPruning(queries),

    forgetAddresses: forgetAddresses(queries),

    async revoke(id, { at, by, reason }, event) {
      const revoked = await commitDurably(queries, async (tx) => {
        if (!(await actorMayAct(tx, event))) return err({ code: 'not_allowed' });
        // If several revocations of a token run at once, only the first that locks the row is stored.
        const { numUpdatedRows } = await tx
          .updateTable('tokens')
          .set({ revoked_at: formatInstant(at), revoked_by: JSON.stringify(by), revoked_reason: reason })
          .where('id', '=', id)
          .where('revoked_at', 'is', null)
          .executeTakeFirst();
        if (numUpdatedRows > 0n) await insertAuditEvents(tx, [event]);
        return ok({ already: numUpdatedRows === 0n });
      });
      if (!revoked.ok) return revoked;
      const token = await findRecord(id);
      return token ? ok({ ...revoked.value, token }) : err({ code: 'token_not_found' });
    },
  };
}
