import { effectiveRules, type TokenHolder, type TokenRules } from '@gatehouse/domain/token-policy';
import type { Token } from '@gatehouse/domain/tokens';
import type { Queries } from '../database/schema.ts';
import { selectPolicies, toPolicy } from './rules-records.ts';

/** The rules that hold for the tokens of a user, and which kind of holder the user is. */
interface LockedRules {
  readonly rules: TokenRules;
  readonly holder: TokenHolder;
}

/**
 * Reads the rules for a token, and locks them against change until the transaction ends. The caller must have locked
 * the account in an earlier statement, so that this one sees every change that was committed before. Returns undefined
 * if there is no such account.
 */
export async function lockRules(
  tx: Queries,
  token: Pick<Token, 'accountId' | 'userId'>,
): Promise<LockedRules | undefined> {
  const owner = tx.selectFrom('users').select('kind').where('id', '=', token.userId);
  const holder = (await owner.executeTakeFirst())?.kind ?? 'person';
  const rows = await selectPolicies(tx, token.accountId).forShare().execute();
  const policy = toPolicy(rows);
  return policy && { rules: effectiveRules(policy, holder), holder };
}
