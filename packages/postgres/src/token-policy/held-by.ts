import type { TokenHolder } from '@gatehouse/domain/token-policy';
import type { Token } from '@gatehouse/domain/tokens';
import { sql } from 'kysely';
import type { Condition } from '../database/statements/conditions.ts';

/** The kind of holder that the owner of a token is. */
export const holderOf = (_: Pick<Token, 'userId'>): TokenHolder => 'person';

/** Whether the owner of a row of `tokens` is this kind of holder. */
export const isHeldBy = (holder: TokenHolder): Condition => sql`${sql.lit(holder)} = 'person'`;
