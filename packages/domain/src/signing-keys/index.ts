export { openActiveKey } from './active-key.ts';
export { checkMasterKey, ensureKeys } from './ensure-keys.ts';
export type { KeyEncryption, MasterKeys, MasterKeyUnusable } from './key-encryption.ts';
export { type KeyReport, type LiveTokens, NO_LIVE_TOKENS, retirableAt } from './key-report.ts';
export { createKeyRing, type KeyRing, type ListPublicKeys, listPublicKeys } from './key-ring.ts';
export { activateKey, createKey, listKeys, retireKey, showKey, type UsedKeyReport } from './manage-keys.ts';
export { rewrapKeys } from './rewrap-keys.ts';
export type { KeyId, KeyState, SealedSecret, SigningKey, VerificationKey } from './signing-key.ts';
export { KEY_STATES, parseKeyId } from './signing-key.ts';
// The port and the types of its methods.
export type * from './signing-key-repository.ts';
