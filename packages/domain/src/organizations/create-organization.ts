import { type AccessDenied, authorize } from '../access/authorize.ts';
import type { Caller } from '../access/caller.ts';
import type { AccountId } from '../accounts/account.ts';
import type { AccountNotFound } from '../accounts/account-repository.ts';
import { eventBy } from '../audit/event-by.ts';
import type { InvalidInput } from '../invalid-input.ts';
import type { Result } from '../result.ts';
import { checkName, checkText } from '../text.ts';
import type { Clock } from '../time/clock.ts';
import type { Organization } from './organization.ts';
import { onOrganization } from './organization-events.ts';
import type { OrganizationRepository } from './organization-repository.ts';

export interface CreateOrganizationPorts {
  readonly organizations: OrganizationRepository;
  readonly clock: Clock;
}

export interface CreateOrganizationInput {
  readonly accountId: AccountId;
  readonly name: string;
  readonly description: string | null;
}

export type CreateOrganization = (
  caller: Caller,
  input: CreateOrganizationInput,
) => Promise<Result<Organization, AccessDenied | InvalidInput | AccountNotFound>>;

export function createOrganization({ organizations, clock }: CreateOrganizationPorts): CreateOrganization {
  return async (caller, { accountId, description, ...input }) => {
    const allowed = authorize(caller, 'orgs:manage');
    if (!allowed.ok) return allowed;
    const name = checkName('name', input.name);
    if (!name.ok) return name;
    const described = checkText('description', description ?? '', 2000);
    if (!described.ok) return described;

    const at = clock.now();
    return organizations.insert({ accountId, name: name.value, description, createdAt: at }, (created) =>
      eventBy(allowed.value, {
        at,
        action: 'organization.created',
        ...onOrganization(created),
        details: { name: created.name },
      }),
    );
  };
}
