import type { Change } from '@gatehouse/domain';
import type { Repositories } from '@gatehouse/domain/testing';

/** Tells the feed of every write, before it is acknowledged. */
export function telling(store: Repositories, tell: (change: Change) => void): Repositories {
  return {
    ...store,
    accounts: {
      ...store.accounts,
      async suspend(id, at, event) {
        const suspended = await store.accounts.suspend(id, at, event);
        tell({ kind: 'account', id });
        return suspended;
      },
    },
    users: {
      ...store.users,
      async disable(id, revocation, event) {
        const disabled = await store.users.disable(id, revocation, event);
        tell({ kind: 'user', id });
        return disabled;
      },
    },
    tokens: {
      ...store.tokens,
      async revoke(id, revocation, event) {
        const revoked = await store.tokens.revoke(id, revocation, event);
        tell({ kind: 'token', id });
        return revoked;
      },
    },
    signingKeys: {
      ...store.signingKeys,
      async retire(id, at, event) {
        const retired = await store.signingKeys.retire(id, at, event);
        tell({ kind: 'key', id });
        return retired;
      },
    },
    organizations: {
      ...store.organizations,
      async addMember(member, event) {
        const added = await store.organizations.addMember(member, event);
        tell({ kind: 'membership', organizationId: member.organizationId, userId: member.userId });
        return added;
      },
    },
  };
}
