export type * from './extension-schemas.ts';
export * from './manage-extensions.ts';
