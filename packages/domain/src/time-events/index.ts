export * from './look-at-token.ts';
export * from './record-time-events.ts';
export type * from './time-events.ts';
export * from './token-watch.ts';
