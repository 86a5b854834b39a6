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
