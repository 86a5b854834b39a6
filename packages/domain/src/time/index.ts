export * from './backoff.ts';
export * from './clock.ts';
export * from './duration.ts';
export * from './instant.ts';
