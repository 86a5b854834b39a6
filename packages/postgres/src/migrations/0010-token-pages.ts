import { inSteps } from '@gatehouse/extension-kit/postgres';
import { index } from '../database/migrator/migration-statements.ts';

/** Makes a page of the list of an account's tokens read few disk pages, however many tokens other accounts have. */
export const steps = inSteps(
  // This index has the same tokens as tokens_open, and also the columns of the orders and of most filters, so that
  // PostgreSQL selects a page by reading only the index.
  index(`tokens_open_of_keys on tokens (account_id, key_id, coalesce(expires_at, 'infinity'), id)
    include (user_id, expires_at, created_at, name) where kind = 'api' and revoked_at is null`),
  // With this index, PostgreSQL reads the usage of some of an account's tokens by one range. The index makes no update
  // slower: an update of the day of the last use has to write to indexes anyway, because that day is a column of other
  // indexes.
  index(`token_usage_of_account on token_usage (account_id, token_id) include (last_used_on)
    where account_id is not null`),
);
