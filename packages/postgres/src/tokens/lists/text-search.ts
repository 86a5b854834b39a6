import type { AccountId } from '@gatehouse/domain/accounts';
import { type TokenSearch, WORD_SEPARATORS } from '@gatehouse/domain/tokens';
import { emailKey } from '@gatehouse/domain/users';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { and, type Condition } from '../../database/statements/conditions.ts';

/** The highest code point. Every text with a prefix sorts before that prefix followed by this character. */
export const LAST = '\u{10ffff}';

/**
 * The condition that a text begins with a prefix, written as a range of an index with text_pattern_ops. No character of
 * the prefix has a special meaning, unlike with `like`.
 */
export function beginsWith(text: RawBuilder<unknown>, prefix: RawBuilder<unknown>): RawBuilder<SqlBool> {
  return sql`(${text} ~>=~ ${prefix} and ${text} ~<~ (${prefix} || ${LAST}))`;
}

/** The words of a text, as the indexes tokens_words and users_words have them. */
const wordsOf = (text: string) =>
  sql.raw(
    `array_to_tsvector(array_remove(string_to_array(regexp_replace(' ' || lower(${text}), '${WORD_SEPARATORS}+', ' ' || account_id::text || ':', 'g'), ' '), ''))`,
  );

/** The condition that all these words begin words of a text, by an index of words. No word has a special character. */
function haveWords(text: string, accountId: AccountId, words: readonly string[]): Condition {
  const query = words.map((word) => `'${accountId}:${word}':*`).join(' & ');
  return sql`${wordsOf(text)} @@ ${query}::tsquery`;
}

/** The condition that the search finds a token by its name. Uses no index, for tokens that are read anyway. */
export function isNamed(name: RawBuilder<unknown>, { words, text }: TokenSearch): Condition {
  if (words.length === 0) return beginsWith(sql`lower(${name})`, sql`lower(${text}::text)`);
  return and(
    sql`true`,
    ...words.map((word) => sql<SqlBool>`lower(${name}) ~ ${`(^|${WORD_SEPARATORS})${word}`}`),
  );
}

/**
 * Selects up to `limit` ids of the account's API tokens that the search finds by their names. Uses the index
 * tokens_words or, for the beginning of a name, tokens_open_by_name and tokens_revoked_by_name.
 */
export function tokensNamed(
  accountId: AccountId,
  search: TokenSearch,
  limit: RawBuilder<unknown>,
): readonly RawBuilder<unknown>[] {
  if (search.words.length > 0)
    return [
      sql`(select id from tokens where kind = 'api' and ${haveWords('name', accountId, search.words)} ${limit})`,
    ];
  return [sql`null`, sql`not null`].map(
    (revoked) => sql`(select id from tokens where account_id = ${accountId} and kind = 'api'
      and revoked_at is ${revoked} and ${isNamed(sql`name`, search)} ${limit})`,
  );
}

/**
 * Selects the ids of the account's users whom the search finds by name or email. Uses the index users_words or, for the
 * beginning of a name or an email, users_account_email and users_account_name.
 */
export function usersFound(accountId: AccountId, search: TokenSearch): RawBuilder<unknown> {
  const { words, text } = search;
  if (words.length > 0)
    return sql`select id from users where ${haveWords("name || ' ' || email", accountId, words)}`;
  return sql`
    select id from users where account_id = ${accountId}
      and ${beginsWith(sql`email_key`, sql`${emailKey(text)}::text`)}
    union all select id from users where account_id = ${accountId}
      and ${beginsWith(sql`lower(name)`, sql`lower(${text}::text)`)}`;
}
