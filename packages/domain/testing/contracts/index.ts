export { attemptSecretsContract } from './attempt-secrets-contract.ts';
export { changeFeedContract } from './change-feed-contract.ts';
export { changeFeedProbeContract } from './change-feed-probe-contract.ts';
export { credentialSecretsContract } from './credential-secrets-contract.ts';
export { type ArrangedExtensions, extensionSchemasContract } from './extension-schemas-contract.ts';
export {
  identityProvidersContract,
  type PersonAtProvider,
  type ProviderScene,
} from './identity-providers-contract.ts';
export { keyEncryptionContract } from './key-encryption-contract.ts';
export { linkCodesContract } from './link-codes-contract.ts';
export { type MailScene, mailerContract } from './mailer-contract.ts';
export { organizationRepositoryContract } from './organization-repository-contract.ts';
export { passwordHasherContract } from './password-hasher-contract.ts';
export { repositoryContracts } from './repository-contracts.ts';
export { sealCryptographyContract } from './seal-cryptography-contract.ts';
export { secondFactorSecretsContract } from './second-factor-secrets-contract.ts';
export { serviceRepositoryContract } from './service-repository-contract.ts';
export { sessionSecretsContract } from './session-secrets-contract.ts';
export { signInThrottleContract } from './sign-in-throttle-contract.ts';
export { signingKeyRepositoryContract } from './signing-key-repository-contract.ts';
export { storeProbeContract } from './store-probe-contract.ts';
export { tokenIdGeneratorContract } from './token-id-generator-contract.ts';
export { tokenRepositoryContract } from './token-repository-contract.ts';
export { tokenSignerContract } from './token-signer-contract.ts';
export { usageFeedContract } from './usage-feed-contract.ts';
export { usageRecorderContract } from './usage-recorder-contract.ts';
export { usageRecorderHealthContract } from './usage-recorder-health-contract.ts';
export { webhookSecretsContract } from './webhook-secrets-contract.ts';
export { type WebhookReceiver, webhookSenderContract } from './webhook-sender-contract.ts';
