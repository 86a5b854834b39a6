import type { LinkCodeHash } from '@gatehouse/domain/links';
import { sql } from 'kysely';
import type { Condition } from '../database/statements/conditions.ts';

export const bytesOf = (hash: LinkCodeHash) => Buffer.from(hash, 'hex');

/**
 * The condition that the maker of a link is an active admin of the account, or the operator.
 *
 * @param maker the expression for the id of the maker, which is null for the operator
 * @param accountId the expression for the account
 */
export const isMadeByAdmin = (maker: string, accountId: string): Condition => sql`(
  ${sql.ref(maker)} is null or exists (
    select from users as maker
    where maker.id = ${sql.ref(maker)} and maker.account_id = ${sql.ref(accountId)}
      and maker.kind = 'person' and maker.role = 'admin' and maker.disabled_at is null
  ))`;
