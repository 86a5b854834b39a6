export * from './suggest.ts';
export type * from './suggestion-source.ts';
