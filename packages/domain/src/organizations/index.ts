export * from './manage-organizations.ts';
export * from './organization.ts';
export * from './organization-access.ts';
export type * from './organization-repository.ts';
