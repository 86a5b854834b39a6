export { ScramClient } from './scram-client.ts';
export { PasswordWithheldError } from './scram-guard.ts';
