export { openActiveKey } from './active-key.ts';
export { checkMasterKey } from './check-master-key.ts';
export { ensureKeys } from './ensure-keys.ts';
export type { KeyEncryption, MasterKeys, MasterKeyUnusable } from './key-encryption.ts';
export { type KeyReport, type LiveTokens, NO_LIVE_TOKENS, retirableAt } from './key-report.ts';
export { createKeyRing, type KeyRing, type ListPublicKeys, listPublicKeys } from './key-ring.ts';
export { activateKey, createKey, listKeys, retireKey, showKey, type UsedKeyReport } from './manage-keys.ts';
export { rewrapKeys } from './rewrap-keys.ts';
export {
  KEY_STATES,
  type KeyId,
  type KeyState,
  parseKeyId,
  type SealedSecret,
  type SigningKey,
  type VerificationKey,
} from './signing-key.ts';
export type {
  KeyNotFound,
  KeyStateConflict,
  KeysChanged,
  SigningKeyRepository,
  Witness,
} from './signing-key-repository.ts';
