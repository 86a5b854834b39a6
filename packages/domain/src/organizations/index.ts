export { type AddMember, addMember } from './add-member.ts';
export { type CreateOrganization, createOrganization } from './create-organization.ts';
export { deleteOrganization } from './delete-organization.ts';
export { findOrganization, type PeopledOrganization } from './find-organization.ts';
export { type GetOrganization, getOrganization } from './get-organization.ts';
export { listOrganizations } from './list-organizations.ts';
export { type Organization, type OrganizationId, parseOrganizationId } from './organization.ts';
export { decideOrganizationAccess } from './organization-access.ts';
export type {
  OrganizationChanges,
  OrganizationReader,
  OrganizationRepository,
  OrganizationView,
} from './organization-repository.ts';
export { removeMember } from './remove-member.ts';
export { updateOrganization } from './update-organization.ts';
