import type { AccountRepository } from './accounts/account-repository.ts';
import type { AuditLog } from './audit/audit-log.ts';
import type { AuditSeals, SealCryptography } from './audit/seals/audit-seals.ts';
import type { BreakGlass, PasswordSignIn } from './break-glass/break-glass.ts';
import type { Editions } from './editions/editions.ts';
import type { ExtensionSchemas } from './extensions/extension-schemas.ts';
import type { Guards } from './guards/guards.ts';
import type { ChangeFeedProbe, FindMasterKey, FindOpenRoutes, StoreProbe } from './health/probes.ts';
import type { AttemptRepository, AttemptSecrets } from './identity-providers/attempt.ts';
import type { IdentityProviders } from './identity-providers/identity-providers.ts';
import type { IdentityRepository } from './identity-providers/identity-repository.ts';
import type { InvitationRepository } from './links/invitation-repository.ts';
import type { LinkCodes } from './links/link-code.ts';
import type { ResetLinkRepository } from './links/reset-link-repository.ts';
import type { HeldNotices } from './mail/held-notices.ts';
import type { Mailer } from './mail/mailer.ts';
import type { NoticePreferenceRepository } from './mail/notice-preferences.ts';
import type { OnBehalf } from './on-behalf.ts';
import type { OrganizationLists } from './organizations/organization-lists.ts';
import type { OrganizationRepository } from './organizations/organization-repository.ts';
import type { ReactionRepository } from './reactions/reaction-repository.ts';
import type { Catalog } from './resources/catalog.ts';
import type { SecondFactorRepository } from './second-factor/second-factor-repository.ts';
import type { SecondFactorSecrets } from './second-factor/second-factor-secrets.ts';
import type { IntrospectionSource } from './services/introspection-source.ts';
import type { CredentialSecrets } from './services/service-credential.ts';
import type { ServiceRepository } from './services/service-repository.ts';
import type { UsageReports } from './services/usage-reports.ts';
import type { SessionTimes } from './sessions/session.ts';
import type { SessionRepository } from './sessions/session-repository.ts';
import type { SessionSecrets } from './sessions/session-secrets.ts';
import type { SignInGate } from './sign-in/sign-in-gate.ts';
import type { SignInThrottle } from './sign-in/sign-in-throttle.ts';
import type { KeyEncryption, MasterKeys } from './signing-keys/key-encryption.ts';
import type { KeyRing } from './signing-keys/key-ring.ts';
import type { SigningKeyRepository } from './signing-keys/signing-key-repository.ts';
import type { SuggestionSource } from './suggestions/suggestion-source.ts';
import type { Clock } from './time/clock.ts';
import type { TimeEvents } from './time-events/time-events.ts';
import type { TokenPolicies } from './token-policy/token-policies.ts';
import type { TokenNetworkRepository } from './tokens/networks/token-network-repository.ts';
import type { TokenIdGenerator } from './tokens/token.ts';
import type { TokenRepository } from './tokens/token-repository.ts';
import type { TokenIssuer, TokenSigner } from './tokens/token-signer.ts';
import type { UsageRecorderHealth } from './tokens/usage/token-usage.ts';
import type { UsageFeed } from './tokens/usage/usage-feed.ts';
import type { PasswordHasher } from './users/password-hasher.ts';
import type { ServiceAccountRepository } from './users/service-accounts/service-account-repository.ts';
import type { UserRepository } from './users/user-repository.ts';
import type { WebhookRepository } from './webhooks/webhook-repository.ts';
import type { WebhookSecrets } from './webhooks/webhook-secrets.ts';
import type { WebhookSender } from './webhooks/webhook-sender.ts';

/** All repositories of one database. */
export interface Repositories {
  readonly accounts: AccountRepository;
  readonly users: UserRepository;
  readonly serviceAccounts: ServiceAccountRepository;
  readonly organizations: OrganizationRepository;
  readonly organizationLists: OrganizationLists;
  readonly tokens: TokenRepository;
  readonly tokenPolicies: TokenPolicies;
  readonly tokenNetworks: TokenNetworkRepository;
  readonly sessions: SessionRepository;
  readonly secondFactors: SecondFactorRepository;
  readonly invitations: InvitationRepository;
  readonly resetLinks: ResetLinkRepository;
  readonly noticePreferences: NoticePreferenceRepository;
  readonly heldNotices: HeldNotices;
  readonly attempts: AttemptRepository;
  readonly identities: IdentityRepository;
  readonly breakGlass: BreakGlass;
  readonly services: ServiceRepository;
  readonly introspection: IntrospectionSource;
  readonly usageReports: UsageReports;
  readonly signingKeys: SigningKeyRepository;
  readonly audit: AuditLog;
  readonly auditSeals: AuditSeals;
  readonly reactions: ReactionRepository;
  readonly suggestions: SuggestionSource;
  readonly timeEvents: TimeEvents;
  readonly webhooks: WebhookRepository;
  readonly editions: Editions;
}

/** Every port, by its name in use cases. */
export interface AllPorts extends Repositories {
  readonly catalog: Catalog;
  readonly clock: Clock;
  readonly ids: TokenIdGenerator;
  readonly issuer: TokenIssuer;
  readonly signers: readonly TokenSigner[];
  readonly keys: KeyRing;
  readonly guards: Guards;
  readonly encryption: KeyEncryption;
  readonly masterKeys: MasterKeys;
  readonly findMasterKey: FindMasterKey;
  readonly findOpenRoutes: FindOpenRoutes;
  /** The longest time until a node takes a change in the database into account, in milliseconds. */
  readonly maxStalenessMs: number;
  /** Undefined if the settings name no mail server. */
  readonly mailer: Mailer | undefined;
  readonly onBehalf: OnBehalf;
  readonly passwords: PasswordHasher;
  readonly passwordSignIn: PasswordSignIn;
  readonly credentialSecrets: CredentialSecrets;
  readonly linkCodes: LinkCodes;
  readonly attemptSecrets: AttemptSecrets;
  readonly identityProviders: IdentityProviders;
  readonly sealCryptography: SealCryptography;
  readonly sessionSecrets: SessionSecrets;
  readonly secondFactorSecrets: SecondFactorSecrets;
  readonly sessionTimes: SessionTimes;
  /** The queue for verifications of passwords. All use cases that verify a password share this queue. */
  readonly signInGate: SignInGate;
  readonly throttle: SignInThrottle;
  readonly usageFeed: UsageFeed;
  readonly webhookSecrets: WebhookSecrets;
  readonly webhookSender: WebhookSender;
  readonly usageRecorders: UsageRecorderHealth;
  readonly storeProbe: StoreProbe;
  readonly changeFeedProbe: ChangeFeedProbe;
  readonly extensionSchemas: ExtensionSchemas;
}

/** The ports that a use case takes, by their names. */
export type Ports<Name extends keyof AllPorts> = Pick<AllPorts, Name>;
