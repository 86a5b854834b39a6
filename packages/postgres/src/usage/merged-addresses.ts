import { KEPT_ADDRESSES } from '@gatehouse/domain/tokens';
import { type RawBuilder, sql } from 'kysely';

/**
 * Merges the stored and the added counts of each address. Keeps only the addresses that were seen last, and sorts them,
 * the newest before older ones. `reason` selects the reason of refusals.
 */
export function mergedAddresses(
  before: RawBuilder<unknown>,
  added: RawBuilder<unknown>,
  reason: RawBuilder<unknown> = sql``,
): RawBuilder<unknown> {
  return sql`
    case when ${added} = '[]' then ${before} else (
      select jsonb_agg(to_jsonb(newest) order by last desc, address) from (
        select address, min(first) as first, max(last) as last, sum(times)::bigint as times ${reason}
        -- The added address comes first: of two refusals at one moment, its reason counts.
        from rows from (jsonb_to_recordset(${added} || ${before})
            as (address text, first bigint, last bigint, times bigint, reason text))
          with ordinality as each (address, first, last, times, reason, position)
        group by address order by max(last) desc, address limit ${sql.lit(KEPT_ADDRESSES)}
      ) as newest
    ) end`;
}
