export * from './manage-organizations.ts';
export {
  changedOrganization,
  type Organization,
  type OrganizationId,
  parseOrganizationId,
} from './organization.ts';
export {
  findOrganizationFor,
  type GetOrganization,
  getOrganization,
  type OrganizationAccess,
  placed,
} from './organization-access.ts';
export type {
  OrganizationReader,
  OrganizationRepository,
  OrganizationView,
} from './organization-repository.ts';
