export * from './authorize.ts';
export * from './caller.ts';
// Use cases of all folders ask the rules.
export * from './rules.ts';
