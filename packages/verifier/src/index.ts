export {
  createTestVerifier,
  type TestToken,
  type TestVerifier,
  type TestVerifierOptions,
} from './create-test-verifier.ts';
export {
  createVerifier,
  type Verifier,
  type VerifierOptions,
  type VerifierState,
} from './create-verifier.ts';
export type { ExpiringToken, OnExpiresSoon } from './expires-soon.ts';
export type { Carrier } from './token/bearer.ts';
export type { Accepted, Caller, Refused, Verdict, Wanted } from './verdict/verdict.ts';
