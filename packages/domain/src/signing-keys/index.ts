export { checkMasterKey, openActiveKey } from './active-key.ts';
export { ensureKeys } from './ensure-keys.ts';
export type * from './key-encryption.ts';
export * from './key-ring.ts';
export * from './manage-keys.ts';
export * from './rewrap-keys.ts';
export * from './signing-key.ts';
export * from './signing-key-repository.ts';
