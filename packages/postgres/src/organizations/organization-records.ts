import type { Organization } from '@gatehouse/domain/organizations';
import type { Selectable } from 'kysely';
import type { OrganizationTable } from '../database/schema.ts';

export const organizationColumns = ['id', 'account_id', 'name', 'description', 'created_at'] as const;

export function toOrganization(row: Selectable<OrganizationTable>): Organization {
  return Object.freeze({
    id: row.id,
    accountId: row.account_id,
    name: row.name,
    description: row.description,
    createdAt: row.created_at,
  });
}
