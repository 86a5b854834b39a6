import type { AccountId } from '../accounts/account.ts';
import { type Brand, parsePositiveInteger } from '../identifiers.ts';
import type { Instant } from '../time/instant.ts';

export type OrganizationId = Brand<number, 'OrganizationId'>;

export interface Organization {
  readonly id: OrganizationId;
  readonly accountId: AccountId;
  readonly name: string;
  readonly description: string | null;
  readonly createdAt: Instant;
}

export const parseOrganizationId = parsePositiveInteger<OrganizationId>;

/** The changes to make to an organization. Fields that are absent are not changed. */
export type OrganizationChanges = Partial<Pick<Organization, 'name' | 'description'>>;

/** Returns the organization with the changes, or `before` itself if nothing differs. */
export function changedOrganization(before: Organization, changes: OrganizationChanges): Organization {
  const fields = Object.keys(changes) as readonly (keyof OrganizationChanges)[];
  const differs = fields.some((field) => changes[field] !== before[field]);
  return differs ? { ...before, ...changes } : before;
}
