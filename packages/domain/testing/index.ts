export {
  type AccessFacts,
  type AccessRow,
  accessTable,
  COMBINATIONS,
  TOKEN_VERDICTS,
} from './access-table.ts';
export { allPages } from './all-pages.ts';
export { createFakeAttemptSecrets } from './fake-attempt-secrets.ts';
export { createFakeCredentialSecrets } from './fake-credential-secrets.ts';
export {
  aPerson,
  aProvider,
  createFakeIdentityProviders,
  type FakeIdentityProviders,
} from './fake-identity-providers.ts';
export { createFakeKeyEncryption } from './fake-key-encryption.ts';
export { createFakeLinkCodes } from './fake-link-codes.ts';
export { createFakeMailer, type FakeMailer } from './fake-mailer.ts';
export { createFakePasswordHasher } from './fake-password-hasher.ts';
export { createFakeSealCryptography } from './fake-seal-cryptography.ts';
export { createFakeSecondFactorSecrets } from './fake-second-factor-secrets.ts';
export { createFakeSessionSecrets } from './fake-session-secrets.ts';
export { createFakeTokenSigner, fakePayloadOf, fakeToken } from './fake-token-signer.ts';
export { createFakeWebhookSecrets } from './fake-webhook-secrets.ts';
export { createFakeWebhookSender, type FakeWebhookSender } from './fake-webhook-sender.ts';
export { createFixedClock, type FixedClock } from './fixed-clock.ts';
export * from './fixtures.ts';
export * from './identity-fixtures.ts';
export { createInMemoryChangeFeed, DATABASE, type InMemoryChangeFeed } from './in-memory/change-feed.ts';
export { createInMemoryExtensionSchemas, type InMemoryExtension } from './in-memory/extension-schemas.ts';
export { frozenResults } from './in-memory/frozen-results.ts';
export { createInMemoryChangeFeedProbe, createInMemoryStoreProbe } from './in-memory/probes.ts';
export { createInMemoryRepositories, type InMemoryRepositories } from './in-memory/repositories.ts';
export { createInMemorySignInThrottle } from './in-memory/sign-in-throttle.ts';
export * from './link-fixtures.ts';
export { ADDRESS, CHOSEN, createLinksScene, type LinksScene } from './links-scene.ts';
export {
  apiToken,
  GOOD,
  type Population,
  populate,
  revoke,
  signInToken,
  suspend,
} from './population.ts';
export { createProviderScene, ENTRA, type ProviderScene } from './provider-scene.ts';
export * from './refusal-scenes.ts';
export type { WatchedRepositories } from './repositories.ts';
export {
  anchorOf,
  collected,
  exportedLines,
  givenEvents,
  linesOf,
  positionsIn,
  tampered,
  verified,
  withSeals,
} from './sealed-log.ts';
export * from './second-factor-fixtures.ts';
export { createSequentialTokenIds } from './sequential-token-ids.ts';
export { aServiceAccount, givenServiceAccount } from './service-account-fixtures.ts';
export { aCredential, aService, aServiceScope, givenService } from './service-fixtures.ts';
export { anUnusableKey, someClaims } from './token-claims.ts';
export * from './webhook-fixtures.ts';
export type { World } from './world.ts';
export {
  createPorts,
  createWorld,
  createWorldWithAdmins,
  givenPerson,
  inPerson,
  OPERATOR,
  PASSWORD,
} from './world.ts';
