export * from './change-feed.ts';
