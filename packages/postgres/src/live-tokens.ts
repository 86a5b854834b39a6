import { formatInstant, type Instant } from '@gatehouse/domain';
import { type RawBuilder, type SqlBool, sql } from 'kysely';

/** The domain's `isLive`. tokens_live: the moment at which a token ends is written so that an index has it. */
export function isLiveAt(at: Instant): RawBuilder<SqlBool> {
  return sql`(tokens.revoked_at is null and coalesce(tokens.expires_at, 'infinity') > ${formatInstant(at)}::timestamptz)`;
}
