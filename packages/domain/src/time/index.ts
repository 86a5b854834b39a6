export * from './backoff.ts';
export type * from './clock.ts';
export * from './clock-comparison.ts';
export * from './duration.ts';
export * from './instant.ts';
