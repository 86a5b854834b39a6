import { err, ok } from '@gatehouse/domain';
import { rotationProblem, type TokenRepository } from '@gatehouse/domain/tokens';
import { sql } from 'kysely';
import { insertAuditEvents } from '../src/audit/audit-events.ts';
import type { Database } from '../src/database/database.ts';
import { findTokenDetails } from '../src/tokens/token-queries.ts';
import { createPostgresTokenRepository } from '../src/tokens/token-repository.ts';

/**
 * Sabotage: checks everything that the real repository checks, and inserts, in one transaction, but without locks.
 * Every race must detect it.
 */
export function createUnguardedTokenRepository(database: Database): TokenRepository {
  return {
    ...createPostgresTokenRepository(database),
    rotate: (successor, events) =>
      database.queries.transaction().execute(async (tx) => {
        const entry = await findTokenDetails(tx, successor.replaces.tokenId);
        if (!entry) return err({ code: 'token_not_found' });
        const { user, account } = entry;
        if (user.disabledAt !== null || account.suspendedAt !== null) return err({ code: 'creator_not_fit' });
        const key = await tx
          .selectFrom('signing_keys')
          .select('state')
          .where('id', '=', successor.keyId)
          .executeTakeFirstOrThrow();
        if (key.state === 'retired') return err({ code: 'key_not_usable' });
        const problem = rotationProblem(entry, undefined, successor.createdAt);
        if (problem) return err(problem);
        await sql`
          insert into tokens
            (id, account_id, user_id, subject, kind, name, format, key_id, scopes, created_at, replaces, grace_ms)
          values (${successor.id}, ${successor.accountId}, ${successor.userId}, ${successor.subject},
            ${successor.kind}, ${successor.name}, ${successor.format}, ${successor.keyId}, ${successor.scopes},
            now(), ${successor.replaces.tokenId}, ${successor.replaces.graceMs})`.execute(tx);
        await insertAuditEvents(tx, events);
        return ok(undefined);
      }),
    insert: (token, { verifiedHash }, event) =>
      database.queries.transaction().execute(async (tx) => {
        const facts = await tx
          .selectFrom('users')
          .innerJoin('accounts', 'accounts.id', 'users.account_id')
          .select(['users.disabled_at', 'users.password_hash', 'accounts.suspended_at'])
          .where('users.id', '=', token.userId)
          .executeTakeFirstOrThrow();
        if (facts.disabled_at !== null || facts.suspended_at !== null)
          return err({ code: 'creator_not_fit' });
        if (token.kind === 'sign-in' && facts.password_hash !== verifiedHash)
          return err({ code: 'password_changed' });
        const key = await tx
          .selectFrom('signing_keys')
          .select('state')
          .where('id', '=', token.keyId)
          .executeTakeFirstOrThrow();
        if (key.state === 'retired') return err({ code: 'key_not_usable' });
        await sql`
          insert into tokens (id, account_id, user_id, subject, kind, name, format, key_id, scopes, created_at)
          values (${token.id}, ${token.accountId}, ${token.userId}, ${token.subject}, ${token.kind},
            ${token.name}, ${token.format}, ${token.keyId}, ${token.scopes}, now())`.execute(tx);
        await insertAuditEvents(tx, [event]);
        return ok(undefined);
      }),
  };
}
