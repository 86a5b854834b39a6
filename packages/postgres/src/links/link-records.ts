import type { LinkCodeHash } from '@gatehouse/domain/links';
import { formatInstant, type Instant } from '@gatehouse/domain/time';
import type { UserId } from '@gatehouse/domain/users';
import { sql } from 'kysely';
import type { Queries } from '../database/schema.ts';
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

/**
 * The condition that only a message has the code of a link.
 *
 * @param link the name of the table of links
 */
export const isMailed = (link: string) =>
  sql<boolean>`coalesce(${sql.ref(`${link}.mailed_code_hash`)} = ${sql.ref(`${link}.code_hash`)}, false)`;

/** The values of the columns for the code of a link. */
export function codeColumns({
  codeHash,
  isMailed: only,
}: {
  readonly codeHash: LinkCodeHash;
  readonly isMailed: boolean;
}) {
  const hash = bytesOf(codeHash);
  return { code_hash: hash, mailed_code_hash: only ? hash : null };
}

/** Notes that the person has proved the address, unless it was proved before. Returns whether it was noted. */
export async function noteProof(tx: Queries, userId: UserId, at: Instant): Promise<boolean> {
  const proof = { email_proved_at: formatInstant(at) };
  const noted = await tx
    .insertInto('sign_in_means')
    .values({ user_id: userId, ...proof })
    .onConflict((conflict) =>
      conflict.column('user_id').doUpdateSet(proof).where('sign_in_means.email_proved_at', 'is', null),
    )
    .returning('user_id')
    .executeTakeFirst();
  return noted !== undefined;
}
