import type { AccountRepository } from './accounts/index.ts';
import type { AuditLog } from './audit/index.ts';
import type { OrganizationRepository } from './organizations/index.ts';
import type { SigningKeyRepository } from './signing-keys/index.ts';
import type { SuggestionSource } from './suggestions/index.ts';
import type { TokenRepository } from './tokens/index.ts';
import type { UserRepository } from './users/index.ts';

/** All repositories of one store. */
export interface Repositories {
  readonly accounts: AccountRepository;
  readonly users: UserRepository;
  readonly organizations: OrganizationRepository;
  readonly tokens: TokenRepository;
  readonly signingKeys: SigningKeyRepository;
  readonly audit: AuditLog;
  readonly suggestions: SuggestionSource;
}
