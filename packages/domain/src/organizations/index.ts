export * from './list-own-organizations.ts';
export * from './list-readable-organizations.ts';
export * from './manage-members.ts';
export * from './manage-organizations.ts';
export * from './organization.ts';
export * from './organization-access.ts';
export * from './organization-lists.ts';
export type * from './organization-repository.ts';
export * from './show-organization.ts';
