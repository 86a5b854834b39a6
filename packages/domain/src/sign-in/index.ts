export { cacheRefusals } from './cached-refusals.ts';
export { createRefusalRateLimit, DEFAULT_REFUSAL_RATE } from './refusal-rate.ts';
export {
  DEFAULT_SIGN_IN_LIFETIME_MS,
  type SignedIn,
  type SignIn,
  type SignInError,
  signIn,
} from './sign-in.ts';
export { createSignInGate, type SignInGate, type SignInQueue } from './sign-in-gate.ts';
export type {
  SignInAttempt,
  SignInLimits,
  SignInThrottle,
  TooManyAttempts,
} from './sign-in-throttle.ts';
export { DEFAULT_SIGN_IN_LIMITS } from './sign-in-throttle.ts';
