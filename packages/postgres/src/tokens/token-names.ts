import { formatInstant, type Instant } from '@gatehouse/domain/time';
import { type RawBuilder, type SqlBool, sql } from 'kysely';

/** Selects the user's tokens that occupy a name; a replaced token no longer does. tokens_api_name */
export function holdsName(at: Instant): RawBuilder<SqlBool> {
  return sql`kind = 'api' and revoked_at is null and replaced_at is null
    and (expires_at is null or expires_at > ${formatInstant(at)})`;
}
