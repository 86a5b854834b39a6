import type { AccountId } from '@gatehouse/domain/accounts';
import { emailKey } from '@gatehouse/domain/users';
import { type RawBuilder, type SqlBool, sql } from 'kysely';

/** The highest code point: a text with a prefix sorts before the prefix followed by it. */
export const LAST = '\u{10ffff}';

/** Whether a text begins with a prefix, as a range of an index with text_pattern_ops; no character is special. */
export function beginsWith(text: RawBuilder<unknown>, prefix: RawBuilder<unknown>): RawBuilder<SqlBool> {
  return sql`(${text} ~>=~ ${prefix} and ${text} ~<~ (${prefix} || ${LAST}))`;
}

/** The ids of the account's users whose email or name begins with the search. users_account_email, users_account_name */
export function usersWhoBegin(accountId: AccountId, search: string): RawBuilder<unknown> {
  return sql`
    select id from users where account_id = ${accountId}
      and ${beginsWith(sql`email_key`, sql`${emailKey(search)}::text`)}
    union all select id from users where account_id = ${accountId}
      and ${beginsWith(sql`lower(name)`, sql`lower(${search}::text)`)}`;
}
