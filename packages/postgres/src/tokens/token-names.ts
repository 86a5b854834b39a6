import { formatInstant, type Instant } from '@gatehouse/domain/time';
import { type RawBuilder, type SqlBool, sql } from 'kysely';

/** Which of a user's tokens have a name to themselves; one that was replaced has left it. tokens_api_name */
export function holdsName(at: Instant): RawBuilder<SqlBool> {
  return sql`kind = 'api' and revoked_at is null and replaced_at is null
    and (expires_at is null or expires_at > ${formatInstant(at)})`;
}
