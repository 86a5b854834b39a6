export { boundSignIns } from './bound-sign-ins.ts';
export { type RefusalRememberingThrottle, rememberRefusals } from './known-refusals.ts';
export { createRefusalPace, DEFAULT_REFUSAL_PACE } from './refusal-pace.ts';
export { type SignIn, type SignInError, type SignInPorts, signIn } from './sign-in.ts';
export { createSignInQueue, type SignInQueue, type SignInQueueLimits } from './sign-in-queue.ts';
export {
  DEFAULT_SIGN_IN_LIMITS,
  type NetworkOf,
  type SignInAttempt,
  type SignInLimits,
  type SignInThrottle,
  type TooManyAttempts,
} from './sign-in-throttle.ts';
