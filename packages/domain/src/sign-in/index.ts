export { cacheRefusals, type RefusalCachingThrottle } from './cached-refusals.ts';
export { limitSignIns } from './limit-sign-ins.ts';
export { createRefusalRateLimit, DEFAULT_REFUSAL_RATE } from './refusal-rate.ts';
export {
  DEFAULT_SIGN_IN_LIFETIME_MS,
  type SignIn,
  type SignInError,
  type SignInPorts,
  signIn,
} from './sign-in.ts';
export { createSignInQueue, type SignInQueue, type SignInQueueLimits } from './sign-in-queue.ts';
export {
  DEFAULT_SIGN_IN_LIMITS,
  type NetworkOf,
  type SignInAttempt,
  type SignInLimits,
  type SignInThrottle,
  type TooManyAttempts,
} from './sign-in-throttle.ts';
