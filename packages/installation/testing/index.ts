export { brokenSecretFiles, SECRET, type SecretCase, unreadableSecretFiles } from './secret-files.ts';
