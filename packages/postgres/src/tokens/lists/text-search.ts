import type { AccountId } from '@gatehouse/domain/accounts';
import { emailKey } from '@gatehouse/domain/users';
import { type RawBuilder, type SqlBool, sql } from 'kysely';

/** The highest code point. Every text with a prefix sorts before that prefix followed by this character. */
export const LAST = '\u{10ffff}';

/**
 * The condition that a text begins with a prefix, written as a range of an index with text_pattern_ops. No character of
 * the prefix has a special meaning, unlike with `like`.
 */
export function beginsWith(text: RawBuilder<unknown>, prefix: RawBuilder<unknown>): RawBuilder<SqlBool> {
  return sql`(${text} ~>=~ ${prefix} and ${text} ~<~ (${prefix} || ${LAST}))`;
}

/**
 * Selects the ids of the account's users whose email or name begins with the search text. Uses the indexes
 * users_account_email and users_account_name.
 */
export function usersWhoBegin(accountId: AccountId, search: string): RawBuilder<unknown> {
  return sql`
    select id from users where account_id = ${accountId}
      and ${beginsWith(sql`email_key`, sql`${emailKey(search)}::text`)}
    union all select id from users where account_id = ${accountId}
      and ${beginsWith(sql`lower(name)`, sql`lower(${search}::text)`)}`;
}
