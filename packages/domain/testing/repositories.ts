import type { AccountRepository } from '../src/accounts/index.ts';
import type { AuditLog } from '../src/audit/index.ts';
import type { OrganizationRepository } from '../src/organizations/index.ts';
import type { SigningKeyRepository } from '../src/signing-keys/index.ts';
import type { SuggestionSource } from '../src/suggestions/index.ts';
import type { TokenRepository, UsageFeed, UsageRecorder, UsageRecorderHealth } from '../src/tokens/index.ts';
import type { UserRepository } from '../src/users/index.ts';

/** All repositories of one store: what one of them writes, the others see. */
export interface Repositories {
  readonly accounts: AccountRepository;
  readonly users: UserRepository;
  readonly organizations: OrganizationRepository;
  readonly tokens: TokenRepository;
  readonly signingKeys: SigningKeyRepository;
  readonly audit: AuditLog;
  readonly suggestions: SuggestionSource;
}

/** With the recorder of the same store's tokens. */
export interface RecordedRepositories extends Repositories {
  readonly usage: UsageRecorder;
}

/** With what tells of that recorder. */
export interface WatchedRepositories extends RecordedRepositories {
  readonly usageFeed: UsageFeed;
  readonly usageRecorders: UsageRecorderHealth;
}

/** How a contract suite gets at an implementation: a store that is its own while the suite runs. */
export type OpenRepositories = () => Promise<Repositories & { close(): Promise<void> }>;
