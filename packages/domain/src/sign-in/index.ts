export * from './cached-refusals.ts';
export * from './refusal-rate.ts';
export * from './sign-in.ts';
export * from './sign-in-gate.ts';
export * from './sign-in-throttle.ts';
