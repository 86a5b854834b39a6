import type { Caller } from '../access/caller.ts';
import { ok, type Result } from '../result.ts';
import {
  type ChangedMembership,
  type MembershipInput,
  type MembershipPorts,
  type MembershipRefusal,
  prepareMembershipChange,
} from './membership-change.ts';

export type RemoveMember = (
  caller: Caller,
  input: MembershipInput,
) => Promise<Result<ChangedMembership, MembershipRefusal>>;

/** Ends a membership. An admin goes on seeing the organization, as all of the account's. */
export function removeMember(ports: MembershipPorts): RemoveMember {
  return async (caller, input) => {
    const prepared = await prepareMembershipChange(ports, caller, input, 'organization.member_removed');
    if (!prepared.ok) return prepared;
    const { organization, user, event } = prepared.value;
    const member = { organizationId: organization.id, userId: user.id };
    const removed = await ports.organizations.removeMember(member, event);
    return removed.ok ? ok({ organization, user, already: !removed.value }) : removed;
  };
}
