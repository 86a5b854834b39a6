import { describe, expect, onTestFinished, test } from 'vitest';
import type { Change, ChangeFeed } from '../../src/changes/index.ts';
import type { Repositories } from '../../src/index.ts';
import type { Token } from '../../src/tokens/index.ts';
import type { PasswordHash } from '../../src/users/index.ts';
import {
  anEvent,
  aRevocation,
  aSigningKey,
  givenAccount,
  givenActiveKey,
  givenMember,
  givenOrganization,
  givenToken,
  givenUser,
  START,
} from '../fixtures.ts';

/** A trusted feed, and the store whose changes it delivers. */
interface FeedOnStore {
  readonly feed: ChangeFeed;
  readonly store: Repositories;
  /** Reads the feed's monotonic clock. */
  elapsedMs(): number;
  /** Resolves when the feed has received everything up to a time after the call; a lost feed is trusted again. */
  hear(): Promise<void>;
  /** Interrupts the feed, and resolves when it has noticed. */
  cutOff(): Promise<void>;
  close(): Promise<void>;
}

/** The contract of every ChangeFeed. */
export function changeFeedContract(name: string, open: () => Promise<FeedOnStore>): void {
  async function listening() {
    const opened = await open();
    onTestFinished(opened.close);
    await opened.hear();
    const told: Change[] = [];
    const unsubscribe = opened.feed.subscribe((change) => told.push(change));
    return { ...opened, told, unsubscribe };
  }

  describe(`${name} keeps the contract of ChangeFeed`, () => {
    test.each(CHANGES)('tells when $what', async ({ make }) => {
      const { store, told, hear } = await listening();
      const { change, tells } = await make(store);
      await hear();
      told.length = 0;
      await change();
      await hear();
      expect(tells).not.toEqual([]);
      expect(told).toEqual(expect.arrayContaining([...tells]));
      expect(told).not.toContainEqual({ kind: 'everything' });
    });

    test('delivers changes in order', async () => {
      const { store, told, hear } = await listening();
      const { id } = await givenAccount(store);
      const user = await givenUser(store, id);
      const tokens: Token[] = [];
      for (let i = 0; i < 20; i += 1) tokens.push(await givenToken(store, user));
      await hear();
      told.length = 0;
      for (const token of tokens) await store.tokens.revoke(token.id, aRevocation(), anEvent());
      await hear();
      expect(told).toEqual(tokens.map((token) => ({ kind: 'token', id: token.id })));
    });

    test('advances past a change only after delivering it', async () => {
      const { store, feed, elapsedMs, hear } = await listening();
      const { id } = await givenAccount(store);
      const token = await givenToken(store, await givenUser(store, id));
      await hear();
      let heardWhenTold: number | undefined;
      feed.subscribe((change) => {
        if (change.kind === 'token') heardWhenTold = feed.heardUpTo()?.elapsedMs;
      });
      await store.tokens.revoke(token.id, aRevocation(), anEvent());
      const acknowledgedAt = elapsedMs();
      await hear();
      expect(heardWhenTold).toBeLessThanOrEqual(acknowledgedAt);
      expect(feed.heardUpTo()?.elapsedMs).toBeGreaterThanOrEqual(acknowledgedAt);
    });

    test('when interrupted, it is not trusted and delivers `everything`, then and before it is trusted again', async () => {
      const { feed, hear, cutOff } = await listening();
      const trustedWhenTold: boolean[] = [];
      feed.subscribe((change) => {
        if (change.kind === 'everything') trustedWhenTold.push(feed.heardUpTo() !== undefined);
      });
      await cutOff();
      expect(feed.heardUpTo()).toBeUndefined();
      const toldWhenCutOff = trustedWhenTold.length;
      expect(toldWhenCutOff).toBeGreaterThan(0);
      await hear();
      expect(feed.heardUpTo()).toBeDefined();
      expect(trustedWhenTold.length).toBeGreaterThan(toldWhenCutOff);
      expect(trustedWhenTold).not.toContain(true);
    });

    test('delivers the changes during an interruption as `everything`', async () => {
      const { store, told, hear, cutOff } = await listening();
      const { id } = await givenAccount(store);
      await cutOff();
      told.length = 0;
      await store.accounts.suspend(id, START, anEvent());
      await hear();
      expect(told).toContainEqual({ kind: 'everything' });
    });

    test('delivers nothing to listeners that unsubscribed, and everything to the others', async () => {
      const { store, feed, told, unsubscribe, hear } = await listening();
      const others: Change[] = [];
      feed.subscribe((change) => others.push(change));
      told.length = 0;
      unsubscribe();
      const { id } = await givenAccount(store);
      await store.accounts.suspend(id, START, anEvent());
      await hear();
      expect(told).toEqual([]);
      expect(others).toContainEqual({ kind: 'account', id });
    });
  });
}

interface MadeChange {
  readonly change: () => Promise<unknown>;
  readonly tells: readonly Change[];
}

const CHANGES: readonly {
  readonly what: string;
  readonly make: (store: Repositories) => Promise<MadeChange>;
}[] = [
  {
    what: 'a token is revoked',
    async make(store) {
      const token = await givenToken(store, await givenAdmin(store));
      return {
        change: () => store.tokens.revoke(token.id, aRevocation(), anEvent()),
        tells: [{ kind: 'token', id: token.id }],
      };
    },
  },
  {
    what: 'a user is disabled, and with them their tokens',
    async make(store) {
      const user = await givenAdmin(store);
      await givenUser(store, user.accountId);
      const token = await givenToken(store, user);
      return {
        change: () => store.users.disable(user.id, aRevocation(), anEvent()),
        tells: [
          { kind: 'user', id: user.id },
          { kind: 'token', id: token.id },
        ],
      };
    },
  },
  {
    what: 'a user is disabled, and leaves a token to another',
    async make(store) {
      const user = await givenAdmin(store);
      const other = await givenUser(store, user.accountId);
      const token = await givenToken(store, user);
      return {
        change: () => store.users.disable(user.id, aRevocation(), anEvent(), { transferTo: other.id }),
        tells: [
          { kind: 'user', id: user.id },
          { kind: 'token', id: token.id },
        ],
      };
    },
  },
  {
    what: 'a user is enabled',
    async make(store) {
      const user = await givenAdmin(store);
      await givenUser(store, user.accountId);
      await store.users.disable(user.id, aRevocation(), anEvent());
      return {
        change: () => store.users.enable(user.id, anEvent()),
        tells: [{ kind: 'user', id: user.id }],
      };
    },
  },
  {
    what: 'a user has another role',
    async make(store) {
      const user = await givenAdmin(store);
      await givenUser(store, user.accountId);
      return {
        change: () => store.users.setRole(user.id, 'member', () => anEvent()),
        tells: [{ kind: 'user', id: user.id }],
      };
    },
  },
  {
    what: 'a new password ends sign-in tokens',
    async make(store) {
      const user = await givenAdmin(store);
      const token = await givenToken(store, user, { kind: 'sign-in' });
      const hash = '$test$new' as PasswordHash;
      return {
        change: () => store.users.setPassword(user.id, hash, aRevocation(), anEvent()),
        tells: [{ kind: 'token', id: token.id }],
      };
    },
  },
  {
    what: 'an account is suspended',
    async make(store) {
      const { id } = await givenAccount(store);
      return {
        change: () => store.accounts.suspend(id, START, anEvent()),
        tells: [{ kind: 'account', id }],
      };
    },
  },
  {
    what: 'an account is resumed',
    async make(store) {
      const { id } = await givenAccount(store);
      await store.accounts.suspend(id, START, anEvent());
      return { change: () => store.accounts.resume(id, anEvent()), tells: [{ kind: 'account', id }] };
    },
  },
  {
    what: 'an organization comes into being',
    async make(store) {
      const { id } = await givenAccount(store);
      const tells: Change[] = [];
      const change = async () => {
        const organization = await givenOrganization(store, id);
        tells.push({ kind: 'organization', id: organization.id });
      };
      return { change, tells };
    },
  },
  {
    what: 'someone becomes a member',
    async make(store) {
      const { accountId, id: userId } = await givenAdmin(store);
      const { id: organizationId } = await givenOrganization(store, accountId);
      return {
        change: () => givenMember(store, organizationId, userId),
        tells: [{ kind: 'membership', organizationId, userId }],
      };
    },
  },
  {
    what: 'someone is a member no more',
    async make(store) {
      const { accountId, id: userId } = await givenAdmin(store);
      const { id: organizationId } = await givenOrganization(store, accountId);
      await givenMember(store, organizationId, userId);
      return {
        change: () => store.organizations.removeMember({ organizationId, userId }, anEvent()),
        tells: [{ kind: 'membership', organizationId, userId }],
      };
    },
  },
  {
    what: 'an organization has another name',
    async make(store) {
      const { accountId } = await givenAdmin(store);
      const { id } = await givenOrganization(store, accountId);
      return {
        change: () => store.organizations.update(id, { name: 'Foundry' }, () => anEvent()),
        tells: [{ kind: 'organization', id }],
      };
    },
  },
  {
    what: 'an organization is deleted, and with it its memberships',
    async make(store) {
      const { accountId, id: userId } = await givenAdmin(store);
      const { id: organizationId } = await givenOrganization(store, accountId);
      await givenMember(store, organizationId, userId);
      return {
        change: () => store.organizations.delete(organizationId, () => anEvent()),
        tells: [
          { kind: 'organization', id: organizationId },
          { kind: 'membership', organizationId, userId },
        ],
      };
    },
  },
  {
    what: 'a key comes into being',
    async make(store) {
      const key = aSigningKey();
      return {
        change: () => store.signingKeys.insert(key, anEvent()),
        tells: [{ kind: 'key', id: key.id }],
      };
    },
  },
  {
    what: 'a key is activated, and another one is not any more',
    async make(store) {
      const before = await givenActiveKey(store);
      const { id } = aSigningKey();
      await store.signingKeys.insert(aSigningKey({ id }), anEvent());
      return {
        change: () => store.signingKeys.activate(id, START, anEvent()),
        tells: [
          { kind: 'key', id: before.id },
          { kind: 'key', id },
        ],
      };
    },
  },
  {
    what: 'a key is retired',
    async make(store) {
      const { id } = aSigningKey();
      await store.signingKeys.insert(
        aSigningKey({ id, state: 'verify-only', activatedAt: START }),
        anEvent(),
      );
      return {
        change: () => store.signingKeys.retire(id, START, aRevocation(), anEvent()),
        tells: [{ kind: 'key', id }],
      };
    },
  },
];

async function givenAdmin(store: Repositories) {
  return givenUser(store, (await givenAccount(store)).id);
}
