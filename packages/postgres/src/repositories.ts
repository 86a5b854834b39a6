import type { Repositories } from '@gatehouse/domain';
import { createPostgresAccountRepository } from './accounts/account-repository.ts';
import { createPostgresAuditLog } from './audit/audit-log.ts';
import { createPostgresAuditSeals } from './audit/audit-seals.ts';
import type { Database } from './database/database.ts';
import { createPostgresOrganizationRepository } from './organizations/organization-repository.ts';
import { createPostgresSessionRepository } from './sessions/session-repository.ts';
import { withTurnsOfUsers } from './sessions/session-turns.ts';
import { createPostgresSigningKeyRepository } from './signing-keys/signing-key-repository.ts';
import { withTurnsOfEndedTokens } from './tokens/read-turns.ts';
import { createPostgresSuggestionSource } from './tokens/suggestion-source.ts';
import { createPostgresTokenRepository } from './tokens/token-repository.ts';
import { createPostgresUserRepository } from './users/user-repository.ts';

/** All repositories on this database. */
export function createPostgresRepositories(database: Database): Repositories {
  return {
    accounts: createPostgresAccountRepository(database),
    users: createPostgresUserRepository(database),
    organizations: createPostgresOrganizationRepository(database),
    tokens: withTurnsOfEndedTokens(createPostgresTokenRepository(database)),
    sessions: withTurnsOfUsers(createPostgresSessionRepository(database)),
    signingKeys: createPostgresSigningKeyRepository(database),
    audit: createPostgresAuditLog(database),
    auditSeals: createPostgresAuditSeals(database),
    suggestions: createPostgresSuggestionSource(database),
  };
}
