import type { AccountId } from '@gatehouse/domain/accounts';
import type { SuggestionSource } from '@gatehouse/domain/suggestions';
import { emailKey } from '@gatehouse/domain/users';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Database } from '../database/database.ts';
import { onPrimary } from '../database/primary/primary-only.ts';
import { LAST } from './lists/text-search.ts';

/**
 * Finds completions for the arguments of commands. Prefixes are compared byte by byte (`~<~` and similar operators), as
 * in the indexes, whatever the collation of the database.
 */
export function createPostgresSuggestionSource({ queries }: Database): SuggestionSource {
  return {
    async tokenNames({ prefix, accountId, limit }) {
      const { rows } = await (accountId === undefined
        ? namesOfAll(prefix, limit)
        : namesIn(accountId, prefix, limit)
      ).execute(queries);
      return rows.map(({ name }) => name);
    },

    async tokens({ prefix, accountId, limit }) {
      const [first, last] = [fill(prefix, '0'), fill(prefix, 'f')];
      if (first === undefined || last === undefined) return [];
      // Uses the index tokens_pkey.
      return queries
        .selectFrom('tokens')
        .select(['id', 'name'])
        .where(sql<SqlBool>`id between ${first}::uuid and ${last}::uuid`)
        .where(ofAccount(accountId))
        .orderBy('id')
        .limit(limit)
        .execute();
    },

    async users({ prefix, accountId, limit }) {
      const begins = emailKey(prefix);
      // Reads all rows, because there are few users, and an index only for completions would slow down every change.
      return queries
        .selectFrom('users')
        .select(['email', 'name'])
        .where(sql<SqlBool>`email_key ~>=~ ${begins} and email_key ~<~ ${begins + LAST}`)
        .where(ofAccount(accountId))
        .orderBy(sql`email_key using ~<~`)
        .limit(limit)
        .execute();
    },
  };
}

/**
 * Selects the names of all tokens that begin with the prefix. Reads one entry of the index tokens_name for each name,
 * because a million tokens may have one name.
 */
function namesOfAll(prefix: string, limit: number) {
  const first = (begins: RawBuilder<unknown>) => sql`
    select name from tokens
    where kind = 'api' and revoked_at is null and ${begins} and name ~<~ ${prefix + LAST}
    order by name using ~<~ limit 1`;
  return sql<{ name: string }>`
    with recursive found as (
      (${first(sql`name ~>=~ ${prefix}`)})
      union all
      select (${first(sql`name ~>~ found.name`)}) from found where found.name is not null
    )
    select name from found where name is not null and ${onPrimary} limit ${limit}`;
}

/**
 * Selects the names of the account's tokens that begin with the prefix. Uses the index tokens_account_id, or
 * tokens_name if the account has most of the tokens.
 */
function namesIn(accountId: AccountId, prefix: string, limit: number) {
  return sql<{ name: string }>`
    select name from tokens
    where kind = 'api' and revoked_at is null and account_id = ${accountId}
      and name ~>=~ ${prefix} and name ~<~ ${prefix + LAST} and ${onPrimary}
    group by name order by name using ~<~ limit ${limit}`;
}

function ofAccount(accountId: AccountId | undefined) {
  return accountId === undefined ? sql<SqlBool>`true` : sql<SqlBool>`account_id = ${accountId}`;
}

/** Returns the first or the last id with this prefix; undefined if no id begins with it. */
function fill(prefix: string, digit: string): string | undefined {
  const whole = prefix + '########-####-####-####-############'.slice(prefix.length).replaceAll('#', digit);
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(whole) ? whole : undefined;
}
