import { type AccessDenied, authorize } from '../access/authorize.ts';
import type { Caller } from '../access/caller.ts';
import { READ_ORGANIZATION } from '../access/rules.ts';
import { err, ok, type Result } from '../result.ts';
import type { Organization } from './organization.ts';
import type { OrganizationView } from './organization-repository.ts';

/**
 * Decides whether a caller may read an organization, by token, scope, existence, account and membership, in this
 * order. docs/access.md prints the complete table.
 */
export function decideOrganizationAccess(
  caller: Caller,
  found: OrganizationView | undefined,
): Result<Organization, AccessDenied> {
  const reader = authorize(caller, READ_ORGANIZATION);
  if (!reader.ok) return reader;
  if (!found) return err({ code: 'not_found' });
  const { organization, isMember } = found;
  const allowed = authorize(caller, READ_ORGANIZATION, { accountId: organization.accountId, isMember });
  return allowed.ok ? ok(organization) : allowed;
}
