export { openExtensionStore } from './open-extension-store.ts';
export { brokenSecretFiles, SECRET, type SecretCase, unreadableSecretFiles } from './secret-files.ts';
export { OPEN, RULED, UNSAID, VISITS } from './visits.ts';
