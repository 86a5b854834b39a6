import type { AccountRepository } from './accounts/index.ts';
import type { AuditLog, AuditSeals, SealCryptography } from './audit/index.ts';
import type { ExtensionSchemas } from './extensions/index.ts';
import type { ChangeFeedProbe, FindMasterKey, FindOpenRoutes, StoreProbe } from './health/index.ts';
import type { OrganizationRepository } from './organizations/index.ts';
import type { Catalog } from './resources/index.ts';
import type { SessionRepository, SessionSecrets } from './sessions/index.ts';
import type { KeyEncryption, KeyRing, MasterKeys, SigningKeyRepository } from './signing-keys/index.ts';
import type { SuggestionSource } from './suggestions/index.ts';
import type { Clock } from './time/index.ts';
import type { TokenIdGenerator, TokenIssuer, TokenRepository, TokenSigner } from './tokens/index.ts';
import type { UsageFeed } from './tokens/usage/usage-feed.ts';
import type { UsageRecorderHealth } from './tokens/usage/usage-recorder-health.ts';
import type { PasswordHasher, UserRepository } from './users/index.ts';

/** All repositories of one store. */
export interface Repositories {
  readonly accounts: AccountRepository;
  readonly users: UserRepository;
  readonly organizations: OrganizationRepository;
  readonly tokens: TokenRepository;
  readonly sessions: SessionRepository;
  readonly signingKeys: SigningKeyRepository;
  readonly audit: AuditLog;
  readonly auditSeals: AuditSeals;
  readonly suggestions: SuggestionSource;
}

interface AllPorts extends Repositories {
  readonly catalog: Catalog;
  readonly clock: Clock;
  readonly ids: TokenIdGenerator;
  readonly issuer: TokenIssuer;
  readonly signers: readonly TokenSigner[];
  readonly keys: KeyRing;
  readonly encryption: KeyEncryption;
  readonly masterKeys: MasterKeys;
  readonly findMasterKey: FindMasterKey;
  readonly findOpenRoutes: FindOpenRoutes;
  readonly passwords: PasswordHasher;
  readonly sealCryptography: SealCryptography;
  readonly sessionSecrets: SessionSecrets;
  readonly usageFeed: UsageFeed;
  readonly usageRecorders: UsageRecorderHealth;
  readonly storeProbe: StoreProbe;
  readonly changeFeedProbe: ChangeFeedProbe;
  readonly extensionSchemas: ExtensionSchemas;
}

/** The ports of these names, which a use case takes. */
export type Ports<Name extends keyof AllPorts> = Pick<AllPorts, Name>;
