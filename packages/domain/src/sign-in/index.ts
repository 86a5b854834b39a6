export { cacheRefusals } from './cached-refusals.ts';
export { type LimitSignIn, limitSignIns } from './limit-sign-ins.ts';
export { createRefusalRateLimit, DEFAULT_REFUSAL_RATE } from './refusal-rate.ts';
export {
  DEFAULT_SIGN_IN_LIFETIME_MS,
  type SignedIn,
  type SignIn,
  type SignInError,
  signIn,
} from './sign-in.ts';
export { createSignInQueue, type SignInQueueLimits } from './sign-in-queue.ts';
export type {
  NetworkOf,
  SignInAttempt,
  SignInLimits,
  SignInThrottle,
  TooManyAttempts,
} from './sign-in-throttle.ts';
export { DEFAULT_SIGN_IN_LIMITS } from './sign-in-throttle.ts';
