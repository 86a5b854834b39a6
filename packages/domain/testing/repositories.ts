import type {
  AccountRepository,
  AuditLog,
  OrganizationRepository,
  SigningKeyRepository,
  SuggestionSource,
  TokenRepository,
  UsageFeed,
  UsageRecorder,
  UsageRecorderHealth,
  UserRepository,
} from '../src/index.ts';

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
