export * from './cached-refusals.ts';
export * from './sign-in.ts';
export * from './sign-in-gate.ts';
export * from './sign-in-throttle.ts';
