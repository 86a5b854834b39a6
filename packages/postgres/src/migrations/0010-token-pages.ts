import { inSteps } from '@gatehouse/extension-kit/postgres';
import { index } from '../database/migrator/migration-statements.ts';

/** Lets a page of an account's tokens read few pages of the database, however many tokens others have. */
export const steps = inSteps(
  // The tokens of tokens_open with what an order and most filters need, so that the index alone selects a page.
  index(`tokens_open_of_keys on tokens (account_id, key_id, coalesce(expires_at, 'infinity'), id)
    include (user_id, expires_at, created_at, name) where kind = 'api' and revoked_at is null`),
  // The usage of some of an account's tokens, by one range. Updates that are not HOT write to it, but no more of them:
  // the day is in other indexes, too.
  index(`token_usage_of_account on token_usage (account_id, token_id) include (last_used_on)
    where account_id is not null`),
);
