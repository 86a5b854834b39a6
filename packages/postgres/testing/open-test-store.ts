import type { Repositories } from '@gatehouse/domain/testing';
import { createTestDatabase } from '@gatehouse/test-database';
import { createPostgresAccountRepository } from '../src/accounts/account-repository.ts';
import { createPostgresAuditLog } from '../src/audit/audit-log.ts';
import { type Database, type DatabaseOptions, openDatabase } from '../src/database/database.ts';
import { migrateToLatest } from '../src/database/migrate.ts';
import { createPostgresOrganizationRepository } from '../src/organizations/organization-repository.ts';
import { createPostgresSigningKeyRepository } from '../src/signing-keys/signing-key-repository.ts';
import { createPostgresSuggestionSource } from '../src/tokens/suggestion-source.ts';
import { createPostgresTokenRepository } from '../src/tokens/token-repository.ts';
import { createPostgresUserRepository } from '../src/users/user-repository.ts';

export function repositoriesOf(database: Database): Repositories {
  return {
    accounts: createPostgresAccountRepository(database),
    users: createPostgresUserRepository(database),
    organizations: createPostgresOrganizationRepository(database),
    tokens: createPostgresTokenRepository(database),
    signingKeys: createPostgresSigningKeyRepository(database),
    audit: createPostgresAuditLog(database),
    suggestions: createPostgresSuggestionSource(database),
  };
}

export interface TestDatabaseHandle {
  readonly url: string;
  readonly database: Database;
  close(): Promise<void>;
}

/** A database of one's own; migrated unless it is to stay empty. */
export async function openTestDatabase(
  options: { readonly empty?: boolean } & Partial<DatabaseOptions> = {},
): Promise<TestDatabaseHandle> {
  const { empty = false, ...settings } = options;
  const { url, drop } = await createTestDatabase();
  const database = openDatabase({ url, poolSize: 10, ...settings });
  if (!empty) await migrateToLatest(database);
  return {
    url,
    database,
    async close() {
      await database.close();
      await drop();
    },
  };
}

export async function openTestStore() {
  const { database, close } = await openTestDatabase();
  return { ...repositoriesOf(database), close };
}
