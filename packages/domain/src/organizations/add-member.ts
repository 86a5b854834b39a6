import type { Caller } from '../access/caller.ts';
import { ok, type Result } from '../result.ts';
import {
  type ChangedMembership,
  type MembershipInput,
  type MembershipPorts,
  type MembershipRefusal,
  prepareMembershipChange,
} from './membership-change.ts';
import type { MemberOfAnotherAccount } from './organization-repository.ts';

export type AddMember = (
  caller: Caller,
  input: MembershipInput,
) => Promise<Result<ChangedMembership, MembershipRefusal | MemberOfAnotherAccount>>;

export function addMember(ports: MembershipPorts): AddMember {
  return async (caller, input) => {
    const prepared = await prepareMembershipChange(ports, caller, input, 'organization.member_added');
    if (!prepared.ok) return prepared;
    const { organization, user, at, event } = prepared.value;
    const member = { organizationId: organization.id, userId: user.id, at };
    const added = await ports.organizations.addMember(member, event);
    return added.ok ? ok({ organization, user, already: !added.value }) : added;
  };
}
