import { err, ok } from '@gatehouse/domain';
import { formatInstant } from '@gatehouse/domain/time';
import { isLive, type TokenId, type TokenRepository } from '@gatehouse/domain/tokens';
import { sql } from 'kysely';
import { insertAuditEvents } from '../audit/audit-events.ts';
import type { Queries } from '../database/schema.ts';
import { commitDurably } from '../database/statements/commit-durably.ts';
import { actorMayAct } from '../users/acting-admin.ts';
import { tokenColumns, toToken } from './token-columns.ts';

/** Revokes several tokens of an account in one transaction. It locks the account first, and then the tokens. */
export function revokeTokens(db: Queries): TokenRepository['revokeSeveral'] {
  return (ids, accountId, revocation, audit) =>
    commitDurably(db, async (tx) => {
      if (!(await actorMayAct(tx, { actor: revocation.by, accountId }))) return err({ code: 'not_allowed' });
      // Uses the index tokens_pkey.
      const rows = await tx
        .selectFrom('tokens')
        .select(tokenColumns)
        .where('tokens.id', '=', anyOf(ids))
        .where('tokens.account_id', '=', accountId)
        .orderBy('tokens.id')
        .forNoKeyUpdate()
        .execute();
      if (rows.length < ids.length) return err({ code: 'token_not_found' });
      const tokens = rows.map(toToken);
      const live = tokens.filter((token) => isLive(token, revocation.at));
      if (live.length > 0) {
        await tx
          .updateTable('tokens')
          .set({
            revoked_at: formatInstant(revocation.at),
            revoked_by: JSON.stringify(revocation.by),
            revoked_reason: revocation.reason,
          })
          .where('id', '=', anyOf(live.map(({ id }) => id)))
          .execute();
        await insertAuditEvents(tx, live.map(audit));
      }
      return ok(
        tokens.map((token) =>
          live.includes(token)
            ? { token: Object.freeze({ ...token, revocation }), already: false }
            : { token, already: true },
        ),
      );
    });
}

const anyOf = (ids: readonly TokenId[]) => sql<TokenId>`any(${ids}::uuid[])`;
