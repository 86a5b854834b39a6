import type { AccountId } from '@gatehouse/domain/accounts';
import { formatInstant } from '@gatehouse/domain/time';
import {
  type AccountTokenPolicy,
  effectiveRules,
  latestExpiry,
  lifetimeProblem,
  type ShortenedToken,
  shortenedExpiry,
  TOKEN_HOLDERS,
  type TokenHolder,
  type TokenPolicies,
  type TooLongAt,
} from '@gatehouse/domain/token-policy';
import type { Token, TokenId } from '@gatehouse/domain/tokens';
import { type Selectable, sql } from 'kysely';
import { insertAuditEvents } from '../audit/audit-events.ts';
import type { Queries } from '../database/schema.ts';
import { commitDurably } from '../database/statements/commit-durably.ts';
import { and, type Condition, moment, or } from '../database/statements/conditions.ts';
import { lockAccount } from '../database/statements/row-locks.ts';
import { EXPIRY, isLiveAt } from '../tokens/refusal-conditions.ts';
import { type TokenTable, tokenColumns, toToken } from '../tokens/token-columns.ts';
import { actorMayAct } from '../users/acting-admin.ts';
import { HOLDER, isHeldBy } from './held-by.ts';
import { selectPolicies, toPolicy } from './rules-records.ts';

/** The part of the port that lists and shortens tokens that would be accepted for too long. */
export function longTokens(db: Queries): Pick<TokenPolicies, 'listTooLong' | 'shorten'> {
  return {
    async listTooLong(accountId, { after, ...bound }) {
      const policy = toPolicy(await selectPolicies(db, accountId).execute());
      if (!policy) return [];
      const rows = await selectLong(db, accountId, policy, bound, isAfter(after)).execute();
      return shortened(policy, bound, rows);
    },

    shorten: (accountId, bound, audit) =>
      commitDurably(db, async (tx) => {
        if (!(await lockAccount(tx, accountId))) return [];
        const policy = toPolicy(await selectPolicies(tx, accountId).forShare().execute());
        if (!policy) return [];
        const ids = selectLong(tx, accountId, policy, bound).clearSelect().select('tokens.id');
        const rows = await tx
          .selectFrom('tokens')
          .select([...tokenColumns, HOLDER.as('holder')])
          .where('tokens.id', '=', sql<TokenId>`any(array(${ids}))`)
          .where(isLiveAt(bound.at))
          .orderBy('tokens.id')
          .forNoKeyUpdate()
          .execute();
        const chosen = shortened(policy, bound, rows);
        const events = chosen.map(audit);
        for (const event of events.slice(0, 1)) if (!(await actorMayAct(tx, event))) return [];
        await setExpiries(tx, chosen);
        await insertAuditEvents(tx, events);
        return chosen;
      }),
  };
}

/** Selects the tokens of the account that would be accepted for too long. Uses the index tokens_live. */
function selectLong(
  db: Queries,
  accountId: AccountId,
  policy: AccountTokenPolicy,
  { at, limit }: TooLongAt,
  onPage: Condition = sql`true`,
) {
  const tooLong = TOKEN_HOLDERS.flatMap((holder) => {
    const latest = latestExpiry(effectiveRules(policy, holder), at);
    return latest === null ? [] : [and(isHeldBy(holder), sql`${EXPIRY} > ${moment(latest)}`)];
  });
  return db
    .selectFrom('tokens')
    .select([...tokenColumns, HOLDER.as('holder')])
    .where('tokens.account_id', '=', accountId)
    .where(isLiveAt(at))
    .where(tooLong.length > 0 ? or(...tooLong) : sql<boolean>`false`)
    .where(onPage)
    .orderBy(EXPIRY, 'desc')
    .orderBy('tokens.id')
    .limit(limit);
}

function isAfter(last: Pick<Token, 'id' | 'expiresAt'> | undefined): Condition {
  if (!last) return sql`true`;
  const expiry = sql`${last.expiresAt === null ? 'infinity' : formatInstant(last.expiresAt)}::timestamptz`;
  return sql`(${EXPIRY} < ${expiry} or (${EXPIRY} = ${expiry} and tokens.id > ${last.id}))`;
}

type LongRow = Selectable<TokenTable> & { readonly holder: TokenHolder };

/** Returns those of the tokens that would be accepted for too long, with the expiry that the rules allow. */
function shortened(policy: AccountTokenPolicy, { at }: TooLongAt, rows: readonly LongRow[]) {
  const found = rows.flatMap(({ holder, ...row }): readonly ShortenedToken[] => {
    const token = toToken(row);
    const rules = effectiveRules(policy, holder);
    const expiresAt = shortenedExpiry(rules, at, token.expiresAt);
    const isLong = lifetimeProblem(rules, holder, token, at) !== undefined;
    return isLong && expiresAt !== null ? [Object.freeze({ token, expiresAt })] : [];
  });
  return Object.freeze(found);
}

/** Sets the expiries in one statement, which notifies servers once. */
async function setExpiries(tx: Queries, chosen: readonly ShortenedToken[]): Promise<void> {
  if (chosen.length === 0) return;
  const ids = chosen.map(({ token }) => token.id);
  const ends = chosen.map(({ expiresAt }) => formatInstant(expiresAt));
  await sql`
    update tokens set expires_at = shorter.expires_at
    from unnest(${ids}::uuid[], ${ends}::timestamptz[]) as shorter (id, expires_at)
    where tokens.id = shorter.id`.execute(tx);
}
