import type { AuditEvent } from '@gatehouse/domain/audit';
import { rotationProblem, type Successor, type TokenRotationRefusal } from '@gatehouse/domain/tokens';
import { type Kysely, sql } from 'kysely';
import type { Schema } from '../database/schema.ts';
import { foundations, insertToken } from './insert-token.ts';
import { findTokenDetails } from './token-queries.ts';

/**
 * Inserts a successor, in the caller's transaction. The predecessor's row is locked after everything that the creation
 * of a token locks, and before it is read: what is read stays true until the transaction ends. A second rotation waits
 * here, and then finds the first one's successor.
 */
export async function rotateToken(
  tx: Kysely<Schema>,
  successor: Successor,
  events: readonly AuditEvent[],
): Promise<TokenRotationRefusal | undefined> {
  const { tokenId } = successor.replaces;
  await sql`
    with ${foundations(successor)}
    select key.state from tokens left join key on true
    where tokens.id = ${tokenId} for no key update of tokens`.execute(tx);
  const token = await findTokenDetails(tx, tokenId);
  if (!token) return { code: 'token_not_found' };
  if (token.userId !== successor.userId) return { code: 'creator_not_fit' };
  const before = token.replaces && (await findTokenDetails(tx, token.replaces.tokenId));
  const problem = rotationProblem(token, before ?? undefined, successor.createdAt);
  if (problem) return problem;

  const refusal = await insertToken(tx, successor, undefined, ...events);
  switch (refusal) {
    case undefined:
    case 'creator_not_fit':
    case 'key_not_usable':
      return refusal && { code: refusal };
    default:
      throw new Error(`a successor was refused as ${refusal}`);
  }
}
