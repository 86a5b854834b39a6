import type { Repositories } from '@gatehouse/domain/testing';
import * as postgres from '@gatehouse/postgres';

/** What a running server reads and writes on this database. */
export function repositoriesOf(database: postgres.Database): Repositories {
  return {
    accounts: postgres.createPostgresAccountRepository(database),
    users: postgres.createPostgresUserRepository(database),
    organizations: postgres.createPostgresOrganizationRepository(database),
    tokens: postgres.createPostgresTokenRepository(database),
    signingKeys: postgres.createPostgresSigningKeyRepository(database),
    audit: postgres.createPostgresAuditLog(database),
    suggestions: postgres.createPostgresSuggestionSource(database),
  };
}
