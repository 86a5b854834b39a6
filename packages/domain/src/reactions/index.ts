export * from './reaction.ts';
export type * from './reaction-repository.ts';
