export { createFollowingKeyEncryption, createKeyEncryption } from './following-key-encryption.ts';
export { keptMasterKeyFiles } from './keep-master-key.ts';
export { findGivenMasterKey, type LoadedMasterKey, loadMasterKey } from './load-master-key.ts';
export { createMasterKey, type MasterKey, parseMasterKey } from './master-key.ts';
export { readMasterKeyFile } from './master-key-file.ts';
export { type MasterKeyPlacement, prepareNextMasterKey } from './next-master-key.ts';
export { createSealCryptography } from './seal-cryptography.ts';
