export { BUILT_IN, type BuiltInAction } from './built-in.ts';
export { type Catalog, createCatalog, subjectTypes } from './catalog.ts';
export { checkRefusals } from './check-refusals.ts';
export { type BuiltInResource, defineResource, type Resource, type ScopeWords } from './resource.ts';
