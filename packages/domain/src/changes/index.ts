export type * from './change.ts';
export type * from './change-feed.ts';
export * from './freshness.ts';
