export * from './built-in.ts';
export { type Catalog, createCatalog, subjectTypes } from './catalog.ts';
export * from './check-refusals.ts';
export * from './resource.ts';
