export type * from './change-feed.ts';
export * from './freshness.ts';
