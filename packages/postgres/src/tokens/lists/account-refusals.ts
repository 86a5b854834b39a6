import type { AccountId } from '@gatehouse/domain/accounts';
import type { Instant } from '@gatehouse/domain/time';
import type { RecordRefusal } from '@gatehouse/domain/tokens';
import { sql } from 'kysely';
import { type Condition, moment, not, or } from '../../database/statements/conditions.ts';
import { EXPIRY, passes, refuses, tableOf } from '../refusal-conditions.ts';

/** The account whose tokens are listed, and the time that their states refer to. */
export interface AccountAt {
  readonly accountId: AccountId;
  readonly now: Instant;
}

/** A reason as conditions on `tokens` of the account, in the form of the indexes of lists. */
interface AccountRefusal {
  readonly refuses: Condition;
  readonly passes: Condition;
}

export function accountRefusal(reason: RecordRefusal, { accountId, now }: AccountAt): AccountRefusal {
  const at = moment(now);
  switch (tableOf(reason)) {
    case 'tokens':
      return reason === 'expired'
        ? { refuses: sql`${EXPIRY} <= ${at}`, passes: sql`${EXPIRY} > ${at}` }
        : { refuses: refuses(reason, at), passes: passes(reason, at) };
    case 'signing_keys': {
      // Keys are few. As an array they are a condition of tokens_open.
      const isOfKey = (holds: Condition): Condition =>
        sql`tokens.key_id = any(array(select id from signing_keys where ${holds}))`;
      return { refuses: isOfKey(refuses(reason, at)), passes: isOfKey(passes(reason, at)) };
    }
    case 'users': {
      // users_disabled_of_account; an account has no tokens of another's users.
      const users = sql`select id from users where account_id = ${accountId} and ${refuses(reason, at)}`;
      return {
        refuses: sql`tokens.user_id = any(array(${users}))`,
        passes: sql`tokens.user_id not in (${users})`,
      };
    }
    case 'accounts': {
      // A scalar, which PostgreSQL evaluates once, before it reads any token.
      const account: Condition = sql`(select ${refuses(reason, at)} from accounts where id = ${accountId})`;
      return { refuses: account, passes: not(account) };
    }
  }
}

/**
 * Whether a token's creator is disabled or the account suspended. Hashes the users, because each token is compared
 * with them.
 */
export const isCreatorInactive = (of: AccountAt): Condition =>
  or(not(accountRefusal('user_disabled', of).passes), accountRefusal('account_suspended', of).refuses);
