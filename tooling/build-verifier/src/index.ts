export { buildVerifier } from './build-verifier.ts';
