export * from './built-in.ts';
export * from './catalog.ts';
export * from './check-refusals.ts';
export * from './resource.ts';
