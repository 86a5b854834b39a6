export * from './authorize.ts';
export * from './caller.ts';
// The use cases of all folders need the rules.
export * from './rules.ts';
