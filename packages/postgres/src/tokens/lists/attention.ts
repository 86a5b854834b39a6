import { formatInstant } from '@gatehouse/domain/time';
import type { Attention, AttentionKind, TokenId, TokenRepository } from '@gatehouse/domain/tokens';
import { type RawBuilder, sql } from 'kysely';
import { onPrimary } from '../../database/primary/primary-only.ts';
import type { Queries } from '../../database/schema.ts';
import { PLANNED_FOR_VALUES } from '../../database/statements/statement-names.ts';
import { isOverPolicyOf } from '../../token-policy/over-policy.ts';
import { EXPIRY } from '../refusal-conditions.ts';
import { isAccepted, isOfDisabledUser, rowsOf } from './sections.ts';
import { BASE_WITH_USAGE, isUnusedSince, unusedOfLarge, usageOfBase } from './usage-of-base.ts';

interface Row {
  readonly kind: AttentionKind;
  readonly count: number;
  readonly ids: readonly TokenId[] | null;
  readonly names: readonly string[] | null;
}

/**
 * Finds the tokens that need attention, by one statement. If the account has few accepted tokens, the statement reads
 * all of them at the beginning. No index of unused or refused tokens is read for that, because it would contain mostly
 * tokens that have ended.
 */
export function findNeedingAttention(db: Queries): TokenRepository['findNeedingAttention'] {
  return async (query) => {
    const { accountId, expiringBefore, unusedSince, countLimit, limit } = query;
    const accepted = isAccepted(query);
    const few = sql`(select count(*) from base) < ${countLimit}`;
    const first = sql`limit ${countLimit}`;
    const ofUsage = sql`from token_usage as usage join tokens on tokens.id = usage.token_id
        where not ${few} and usage.account_id = ${accountId} and ${accepted}`;

    const unused = sql`
      (select tokens.id, tokens.name from ${BASE_WITH_USAGE} where ${few} and ${isUnusedSince(unusedSince)}
        order by coalesce(usage.last_used_on, '-infinity'), usage.token_id ${first})
      union all (select id, name from unused_of_large order by day, id)`;
    const refused = sql`
      (select id, name from base where ${few} and id = any(array(
        select token_id from token_usage
        where account_id = ${accountId} and refused_since_use and token_id = any(array(select id from base))))
        order by id desc ${first})
      union all
      (select tokens.id, tokens.name ${ofUsage} and usage.refused_since_use order by usage.token_id desc ${first})`;
    const row = (kind: AttentionKind, tokens: RawBuilder<unknown>) => sql`
      select ${kind} as kind, count(*) as count, (array_agg(id))[1:${sql.lit(limit)}] as ids,
        (array_agg(name))[1:${sql.lit(limit)}] as names from (${tokens}) as found where ${onPrimary}`;

    // For each key, reads the tokens that expire soonest. The tokens of the account that expire soon are among them.
    const columns = sql`tokens.id, tokens.name, tokens.created_at, tokens.expires_at`;
    const base = sql.join(rowsOf('active', query, columns, countLimit), sql` union all `);
    const soon = sql`${EXPIRY} < ${formatInstant(expiringBefore)}::timestamptz`;
    const { rows } = await sql<Row>`
      with ${PLANNED_FOR_VALUES} base as materialized (${base}), ${usageOfBase(accountId, { where: few })},
        ${unusedOfLarge(query, sql`not ${few}`)}
      ${row('expiring', sql`select id, name from base as tokens where ${soon} order by ${EXPIRY}, id ${first}`)}
      union all ${row('unused', unused)}
      union all ${row('refusedSinceUse', refused)}
      union all ${row(
        'overPolicy',
        sql`select id, name from tokens where ${accepted} and ${isOverPolicyOf(query)} order by id desc ${first}`,
      )}
      union all ${row(
        'creatorInactive',
        sql`select id, name from tokens where ${isOfDisabledUser(query)} order by id desc ${first}`,
      )}`.execute(db);
    const found = rows.map((each) => [each.kind, attentionOf(each)]);
    // The statement returns one row for each kind.
    return Object.fromEntries(found) as Record<AttentionKind, Attention>;
  };
}

function attentionOf({ count, ids, names }: Row): Attention {
  return { count, first: (ids ?? []).map((id, index) => ({ id, name: names?.[index] ?? '' })) };
}
