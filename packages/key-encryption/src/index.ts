export { createKeyEncryption } from './jwe-key-encryption.ts';
export { type LoadMasterKeyOptions, loadMasterKey } from './load-master-key.ts';
export { createMasterKey, type MasterKey, type MasterKeyProblem, parseMasterKey } from './master-key.ts';
export { masterKeySettings } from './master-key-settings.ts';
