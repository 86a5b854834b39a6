export * from './authorize.ts';
export * from './caller.ts';
// The rules are exported to all folders, because the use cases of every folder check rules.
export * from './rules.ts';
