export { type GetOrganization, getOrganization } from './get-organization.ts';
export { addMember, removeMember } from './manage-members.ts';
export {
  createOrganization,
  deleteOrganization,
  findOrganization,
  listOrganizations,
  updateOrganization,
} from './manage-organizations.ts';
export { type Organization, type OrganizationId, parseOrganizationId } from './organization.ts';
export { decideOrganizationAccess } from './organization-access.ts';
export type {
  OrganizationChanges,
  OrganizationReader,
  OrganizationRepository,
  OrganizationView,
} from './organization-repository.ts';
