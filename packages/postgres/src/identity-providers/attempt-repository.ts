import type {
  Attempt,
  AttemptHash,
  AttemptPurpose,
  AttemptRepository,
} from '@gatehouse/domain/identity-providers';
import type { LinkCodeHash } from '@gatehouse/domain/links';
import { formatInstant } from '@gatehouse/domain/time';
import type { Insertable, Selectable } from 'kysely';
import type { Database } from '../database/database.ts';
import type { Schema } from '../database/schema.ts';
import { sweepOld } from '../database/statements/sweep.ts';

/** Creates the repository of attempts in PostgreSQL. */
export function createPostgresAttemptRepository({ queries }: Database): AttemptRepository {
  return {
    async insert(attempt) {
      await queries.insertInto('sign_in_attempts').values(toRow(attempt)).execute();
    },

    async take(stateHash) {
      const taken = queries.deleteFrom('sign_in_attempts').where('state_hash', '=', bytesOf(stateHash));
      const row = await taken.returningAll().executeTakeFirst();
      return row && toAttempt(row);
    },

    sweep: (old) => sweepOld(queries, 'sign_in_attempts', old),
  };
}

function toRow({ purpose, ...attempt }: Attempt): Insertable<Schema['sign_in_attempts']> {
  const own = 'sessionId' in purpose ? purpose : { sessionId: null, userId: null };
  return {
    state_hash: bytesOf(attempt.stateHash),
    browser_hash: bytesOf(attempt.browserHash),
    provider: attempt.provider,
    purpose: purpose.kind,
    session_id: own.sessionId,
    user_id: own.userId,
    invitation_hash: purpose.kind === 'invitation' ? bytesOf(purpose.codeHash) : null,
    next: attempt.next,
    created_at: formatInstant(attempt.createdAt),
  };
}

type Row = Selectable<Schema['sign_in_attempts']>;

function toAttempt(row: Row): Attempt {
  return Object.freeze({
    stateHash: hexOf(row.state_hash) as AttemptHash,
    browserHash: hexOf(row.browser_hash) as AttemptHash,
    provider: row.provider,
    purpose: Object.freeze(purposeOf(row)),
    next: row.next,
    createdAt: row.created_at,
  });
}

function purposeOf({
  purpose: kind,
  session_id: sessionId,
  user_id: userId,
  invitation_hash: hash,
}: Row): AttemptPurpose {
  if (kind === 'sign-in') return { kind };
  if (kind === 'invitation' && hash) return { kind, codeHash: hexOf(hash) as LinkCodeHash };
  if (kind !== 'invitation' && sessionId !== null && userId !== null) return { kind, sessionId, userId };
  throw new Error('an attempt that the checks of its table refuse');
}

const bytesOf = (hash: AttemptHash | LinkCodeHash) => Buffer.from(hash, 'hex');
const hexOf = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
