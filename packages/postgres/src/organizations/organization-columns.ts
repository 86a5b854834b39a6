import type { AccountId } from '@gatehouse/domain/accounts';
import type { OrganizationId } from '@gatehouse/domain/organizations';
import type { Timestamp } from '@gatehouse/extension-kit/postgres';
import type { GeneratedAlways } from 'kysely';

export interface OrganizationTable {
  id: GeneratedAlways<OrganizationId>;
  account_id: AccountId;
  name: string;
  description: string | null;
  created_at: Timestamp;
}

/** Selects organizations in the domain's form. */
export const organizationColumns = [
  'id',
  'account_id as accountId',
  'name',
  'description',
  'created_at as createdAt',
] as const;
