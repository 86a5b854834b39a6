export type * from './identity-providers.ts';
export type * from './proven-person.ts';
export * from './provider.ts';
export * from './refusals.ts';
