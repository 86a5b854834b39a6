import { err, ok, type TokenRepository } from '@gatehouse/domain';
import { sql } from 'kysely';
import { insertAuditEvents } from '../src/audit-events.ts';
import type { Database } from '../src/database.ts';
import { createPostgresTokenRepository } from '../src/token-repository.ts';

/**
 * The saboteur: it checks all that the real repository checks, and inserts, in one transaction, but holds
 * nothing against change in between. Every race has to catch it.
 */
export function createUnguardedTokenRepository(database: Database): TokenRepository {
  return {
    ...createPostgresTokenRepository(database),
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
