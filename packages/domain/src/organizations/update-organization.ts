import { type AccessDenied, authorize } from '../access/authorize.ts';
import type { Caller } from '../access/caller.ts';
import { eventBy } from '../audit/event-by.ts';
import type { InvalidInput } from '../invalid-input.ts';
import type { Result } from '../result.ts';
import { checkName, checkText } from '../text.ts';
import type { Clock } from '../time/clock.ts';
import type { OrganizationId } from './organization.ts';
import { onOrganization } from './organization-events.ts';
import type {
  ChangedOrganization,
  OrganizationChanges,
  OrganizationNotFound,
  OrganizationRepository,
} from './organization-repository.ts';

export interface UpdateOrganizationInput {
  readonly id: OrganizationId;
  readonly name?: string;
  /** An empty one is none. */
  readonly description?: string;
}

export type UpdateOrganization = (
  caller: Caller,
  input: UpdateOrganizationInput,
) => Promise<Result<ChangedOrganization, AccessDenied | InvalidInput | OrganizationNotFound>>;

/** Changes what is given, and leaves the rest. */
export function updateOrganization({
  organizations,
  clock,
}: {
  readonly organizations: OrganizationRepository;
  readonly clock: Clock;
}): UpdateOrganization {
  return async (caller, { id, name, description }) => {
    const allowed = authorize(caller, 'orgs:manage');
    if (!allowed.ok) return allowed;
    const named = name === undefined ? undefined : checkName('name', name);
    if (named && !named.ok) return named;
    const described = checkText('description', description ?? '', 2000);
    if (!described.ok) return described;

    const changes: OrganizationChanges = {
      ...(named && { name: named.value }),
      ...(description !== undefined && { description: description || null }),
    };
    return organizations.update(id, changes, (before) =>
      eventBy(allowed.value, {
        at: clock.now(),
        action: 'organization.updated',
        ...onOrganization(before),
        details: {
          name: before.name,
          ...changes,
          ...(changes.name !== undefined && { former_name: before.name }),
        },
      }),
    );
  };
}
