export { cacheRefusals } from './cached-refusals.ts';
export { limitSignIns } from './limit-sign-ins.ts';
export { createRefusalRateLimit, DEFAULT_REFUSAL_RATE } from './refusal-rate.ts';
export { DEFAULT_SIGN_IN_LIFETIME_MS, type SignIn, type SignInError, signIn } from './sign-in.ts';
export { createSignInQueue, type SignInQueueLimits } from './sign-in-queue.ts';
// The port, the types of its methods, and the default limits.
export * from './sign-in-throttle.ts';
