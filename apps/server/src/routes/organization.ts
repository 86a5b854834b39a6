import type { Organization } from '@gatehouse/domain/organizations';

/** Returns the members of an organization that version 1 of the API shows. */
export function toOrganization({ id, name, description }: Organization) {
  return { id, name, description };
}
