import { inSteps } from '@gatehouse/extension-kit/postgres';
import { index } from '../database/migrator/migration-statements.ts';

/** Lets a page of an account's tokens read few pages of the database, however many tokens others have. */
export const steps = inSteps(
  // The tokens of tokens_open, with the columns of the orders and of most filters, so that the index alone selects a page.
  index(`tokens_open_of_keys on tokens (account_id, key_id, coalesce(expires_at, 'infinity'), id)
    include (user_id, expires_at, created_at, name) where kind = 'api' and revoked_at is null`),
  // Reads the usage of some of an account's tokens by one range. It makes no further updates slow (not HOT), because the
  // day is already a column of other indexes.
  index(`token_usage_of_account on token_usage (account_id, token_id) include (last_used_on)
    where account_id is not null`),
);
