export { BUILT_IN, type BuiltInAction } from './built-in.ts';
export { type Catalog, createCatalog } from './catalog.ts';
export { checkRefusals } from './check-refusals.ts';
export { defineResource, type Resource, type ScopeWords } from './resource.ts';
