import { formatInstant } from '@gatehouse/domain/time';
import type { Attention, AttentionKind, TokenId, TokenRepository } from '@gatehouse/domain/tokens';
import { type RawBuilder, sql } from 'kysely';
import { onPrimary } from '../../database/primary-only.ts';
import type { Queries } from '../../database/schema.ts';
import { EXPIRY } from '../live-tokens.ts';
import { isAccepted, isOfDisabledUser, JOIN_USAGE, rowsOf } from './sections.ts';

interface Row {
  readonly kind: AttentionKind;
  readonly count: number;
  readonly ids: readonly TokenId[] | null;
  readonly names: readonly string[] | null;
}

const NONE: Attention = { count: 0, first: [] };

/**
 * Finds what needs attention in one statement. If the account has few accepted tokens, each is looked at, because most
 * ended ones are unused and refused as well.
 */
export function findNeedingAttention(db: Queries): TokenRepository['findNeedingAttention'] {
  return async (query) => {
    const { accountId, expiringBefore, unusedSince, countLimit, limit } = query;
    const since = sql`${formatInstant(unusedSince)}::timestamptz`;
    const accepted = isAccepted(query);
    const few = sql`(select count(*) from base) < ${countLimit}`;
    const day = sql`coalesce(usage.last_used_on, '-infinity')`;
    const unused = sql`${day} <= (${since} at time zone 'UTC')::date
      and (usage.last_used_at is null or usage.last_used_at < ${since}) and tokens.created_at < ${since}`;
    const expiring = sql`${EXPIRY} < ${formatInstant(expiringBefore)}::timestamptz`;
    const usageOf = sql`token_usage as usage on usage.token_id = tokens.id`;

    /** The tokens of a condition in an order: among the accepted ones if those are few, else by an index. */
    const those = (condition: RawBuilder<unknown>, order: RawBuilder<unknown>, usage: boolean) => sql`
      (select tokens.id, tokens.name from base as tokens ${usage ? JOIN_USAGE : sql``}
        where ${few} and ${condition} order by ${order} limit ${countLimit})
      union all
      (select tokens.id, tokens.name from tokens ${usage ? sql`join ${usageOf}` : sql``}
        where not ${few} and ${accepted} and ${condition} ${usage ? sql`and usage.account_id = ${accountId}` : sql``}
        order by ${order} limit ${countLimit})`;
    const row = (kind: AttentionKind, tokens: RawBuilder<unknown>) => sql`
      select ${kind} as kind, count(*) as count, (array_agg(id))[1:${sql.lit(limit)}] as ids,
        (array_agg(name))[1:${sql.lit(limit)}] as names from (${tokens}) as found where ${onPrimary}`;

    const columns = sql`tokens.id, tokens.name, tokens.created_at, tokens.expires_at`;
    const base = sql.join(rowsOf('active', query, columns, countLimit), sql` union all `);
    const { rows } = await sql<Row>`
      with base as materialized (select * from (${base}) as parts limit ${countLimit})
      ${row('expiring', those(expiring, sql`${EXPIRY}, tokens.id`, false))}
      union all ${row('unused', those(unused, sql`${day}, usage.token_id`, true))}
      union all ${row('refusedSinceUse', those(sql`usage.refused_since_use`, sql`usage.token_id desc`, true))}
      union all ${row(
        'creatorInactive',
        sql`select id, name from tokens where ${isOfDisabledUser(query)} order by id desc limit ${countLimit}`,
      )}`.execute(db);
    const found = new Map(rows.map((each) => [each.kind, attentionOf(each)]));
    const of = (kind: AttentionKind) => found.get(kind) ?? NONE;
    return {
      expiring: of('expiring'),
      unused: of('unused'),
      refusedSinceUse: of('refusedSinceUse'),
      creatorInactive: of('creatorInactive'),
    };
  };
}

function attentionOf({ count, ids, names }: Row): Attention {
  return { count, first: (ids ?? []).map((id, index) => ({ id, name: names?.[index] ?? '' })) };
}
