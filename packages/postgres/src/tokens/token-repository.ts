import { err, ok } from '@gatehouse/domain';
import { formatInstant } from '@gatehouse/domain/time';
import type { Revocation, TokenId, TokenRepository } from '@gatehouse/domain/tokens';
import type { UserId } from '@gatehouse/domain/users';
import { type Kysely, sql } from 'kysely';
import { insertAuditEvents } from '../audit/audit-events.ts';
import { commitDurably } from '../database/commit-durably.ts';
import { compileOnce } from '../database/compile-once.ts';
import type { Database } from '../database/database.ts';
import type { Schema } from '../database/schema.ts';
import { endOldestSignIns } from './end-oldest-sign-ins.ts';
import { insertToken, reserveName } from './insert-token.ts';
import { countEnded, pruneTokens } from './prune-tokens.ts';
import { createReadTurns } from './read-turns.ts';
import { rotateToken } from './rotate-token.ts';
import { countTokens, findTokenDetails, listTokenDetails } from './token-queries.ts';
import { selectTokenRecords, toTokenRecord } from './token-records.ts';

/** Creates the repository of tokens in PostgreSQL. */
export function createPostgresTokenRepository({ queries, inTime, inTurn }: Database): TokenRepository {
  // tokens_pkey, users_pkey, accounts_pkey, signing_keys_pkey
  const recordById = compileOnce(({ id }: { readonly id: TokenId }) =>
    selectTokenRecords(queries).where('tokens.id', '=', id),
  );
  const turns = createReadTurns();

  async function findRecord(id: TokenId, subject?: UserId) {
    const read = () => queries.executeQuery(recordById({ id }));
    const reading = subject === undefined ? inTime(read()) : inTurn(turns.turnOf(id, subject), read);
    const [row] = (await reading).rows;
    if (row === undefined || row.revoked_at !== null) turns.ended(id);
    return row && toTokenRecord(row);
  }

  return {
    async insert(token, { verifiedHash }, event) {
      const refusal =
        token.kind === 'sign-in'
          ? await insertToken(queries, token, verifiedHash, event)
          : await queries.transaction().execute(async (tx) => {
              await reserveName(tx, token);
              return insertToken(tx, token, verifiedHash, event);
            });
      return refusal === undefined ? ok(undefined) : err({ code: refusal });
    },

    async rotate(successor, events) {
      const refusal = await queries.transaction().execute((tx) => rotateToken(tx, successor, events));
      return refusal === undefined ? ok(undefined) : err(refusal);
    },

    findRecord,

    async findRecords(ids) {
      // tokens_pkey, users_pkey, accounts_pkey, signing_keys_pkey
      const rows = await selectTokenRecords(queries)
        .where('tokens.id', '=', sql<TokenId>`any(${ids}::uuid[])`)
        .execute();
      return rows.map(toTokenRecord);
    },

    find: (id) => findTokenDetails(queries, id),

    list: (query) => listTokenDetails(queries, query),

    count: (query) => countTokens(queries, query),

    endOldestSignIns: (bound, revocation, cause) => endOldestSignIns(queries, bound, revocation, cause),

    countEnded: (options) => countEnded(queries, options),

    prune: (options, audit) => pruneTokens(queries, options, audit),

    async revoke(id, revocation, event) {
      const revoked = await commitDurably(queries, async (tx) => {
        const first = await endToken(tx, id, revocation);
        if (first) await insertAuditEvents(tx, [event]);
        return first;
      });
      const token = await findRecord(id);
      return token ? ok({ already: !revoked, token }) : err({ code: 'token_not_found' });
    },
  };
}

/** Returns whether this call revoked the token: of several concurrent revocations, the first counts. */
async function endToken(tx: Kysely<Schema>, id: TokenId, { at, by, reason }: Revocation): Promise<boolean> {
  const ended = await tx
    .updateTable('tokens')
    .set({ revoked_at: formatInstant(at), revoked_by: JSON.stringify(by), revoked_reason: reason })
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  return ended.numUpdatedRows > 0n;
}
