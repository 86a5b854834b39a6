import { describe, expect, onTestFinished, test } from 'vitest';
import type { Change, ChangeFeed } from '../../src/changes/index.ts';
import { ok, type Repositories } from '../../src/index.ts';
import type { Service } from '../../src/services/index.ts';
import { addMilliseconds } from '../../src/time/index.ts';
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
import { aCredential, aService, aServiceScope, givenService } from '../service-fixtures.ts';

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
    test.each(Object.entries(CHANGES))('tells when %s', async (_, change) => {
      const { store, told, hear } = await listening();
      const stock = await givenStock(store);
      await hear();
      told.length = 0;
      const expected = await change(stock);
      await hear();
      expect(told).toEqual(expect.arrayContaining([...expected]));
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

    test('when interrupted, it has heard nothing more until it has delivered `everything`', async () => {
      const { feed, hear, cutOff } = await listening();
      const heard = () => feed.heardUpTo()?.elapsedMs ?? Number.NEGATIVE_INFINITY;
      const before = heard();
      const heardWhenTold: number[] = [];
      feed.subscribe((change) => {
        if (change.kind === 'everything') heardWhenTold.push(heard());
      });
      await cutOff();
      expect(heard()).toBeLessThanOrEqual(before);
      await hear();
      expect(heard()).toBeGreaterThan(before);
      expect(heardWhenTold.length).toBeGreaterThan(0);
      expect(Math.max(...heardWhenTold)).toBeLessThanOrEqual(before);
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

    test('tells each time that it has heard more, after the changes', async () => {
      const { store, feed, told, hear } = await listening();
      const { id } = await givenAccount(store);
      await hear();
      const advanced: (number | undefined)[] = [];
      let toldBefore = -1;
      const unsubscribe = feed.onHeard(() => {
        advanced.push(feed.heardUpTo()?.elapsedMs);
        if (toldBefore === -1) toldBefore = told.length;
      });
      told.length = 0;
      await store.accounts.suspend(id, START, anEvent());
      await hear();
      const heard = feed.heardUpTo()?.elapsedMs;
      expect(advanced.at(-1)).toBe(heard);
      expect(advanced).toEqual(advanced.toSorted((one = 0, other = 0) => one - other));
      expect([toldBefore, told]).toEqual([1, [{ kind: 'account', id }]]);
      const count = advanced.length;
      unsubscribe();
      await hear();
      expect(advanced).toHaveLength(count);
    });

    test('names the database server, by the same name as long as it is the same', async () => {
      const { feed, hear, cutOff } = await listening();
      const { database } = feed.heardUpTo() ?? expect.fail('it has heard nothing');
      expect(database).toMatch(/./);
      await cutOff();
      await hear();
      expect(feed.heardUpTo()?.database).toBe(database);
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

/** The stored resources that the tests change. */
async function givenStock(store: Repositories) {
  const { id: accountId } = await givenAccount(store);
  const { id: suspended } = await givenAccount(store);
  await store.accounts.suspend(suspended, START, anEvent());
  const [user, other, disabled] = [
    await givenUser(store, accountId),
    await givenUser(store, accountId),
    await givenUser(store, accountId),
  ];
  await store.users.disable(disabled.id, aRevocation(), anEvent());
  const token = await givenToken(store, user);
  const signIn = await givenToken(store, user, { kind: 'sign-in' });
  const { id: organizationId } = await givenOrganization(store, accountId);
  await givenMember(store, organizationId, user.id);
  const active = await givenActiveKey(store);
  const staged = aSigningKey();
  const verifying = aSigningKey({ state: 'verify-only', activatedAt: START });
  for (const key of [staged, verifying]) await store.signingKeys.insert(key, anEvent());
  const service = await givenService(store, { credentials: [aCredential()] });
  return {
    ...{ ...store, accountId, suspended, user, other, disabled, token, signIn, organizationId },
    ...{ active, staged, verifying, service },
  };
}

/** Makes a change, and returns what the feed has to tell. */
type MakeChange = (stock: Awaited<ReturnType<typeof givenStock>>) => Promise<readonly Change[]>;

async function telling(change: Promise<unknown>, ...told: readonly Change[]): Promise<readonly Change[]> {
  await change;
  return told;
}

const changed = <Kind extends Change['kind'], Id>(kind: Kind, { id }: { readonly id: Id }) => ({ kind, id });

const CHANGES: Readonly<Record<string, MakeChange>> = {
  'a token is revoked': ({ tokens, token }) =>
    telling(tokens.revoke(token.id, aRevocation(), anEvent()), changed('token', token)),
  'a token is renamed, and ends earlier': ({ tokens, token }) => {
    const changes = { name: 'Renamed', expiresAt: addMilliseconds(START, 1000) };
    return telling(
      tokens.update(token.id, changes, START, () => anEvent()),
      changed('token', token),
    );
  },
  'a user is disabled, and with them their tokens': ({ users, user, token }) =>
    telling(users.disable(user.id, aRevocation(), anEvent()), changed('user', user), changed('token', token)),
  'a user is disabled, and leaves a token to another': ({ users, user, other, token }) => {
    const transfer = users.disable(user.id, aRevocation(), anEvent(), { transferTo: other.id });
    return telling(transfer, changed('user', user), changed('token', token));
  },
  'a user is enabled': ({ users, disabled }) =>
    telling(users.enable(disabled.id, anEvent()), changed('user', disabled)),
  'a user has another role': ({ users, user }) =>
    telling(
      users.setRole(user.id, 'member', () => anEvent()),
      changed('user', user),
    ),
  'a new password ends sign-in tokens': ({ users, user, signIn }) => {
    const hash = '$test$new' as PasswordHash;
    return telling(users.setPassword(user.id, hash, aRevocation(), anEvent()), changed('token', signIn));
  },
  'an account is suspended': ({ accounts, accountId: id }) =>
    telling(accounts.suspend(id, START, anEvent()), changed('account', { id })),
  'an account is resumed': ({ accounts, suspended: id }) =>
    telling(accounts.resume(id, anEvent()), changed('account', { id })),
  'an organization comes into being': async (stock) => [
    changed('organization', await givenOrganization(stock, stock.accountId)),
  ],
  'someone becomes a member': (stock) => {
    const { organizationId, other } = stock;
    const member = { kind: 'membership', organizationId, userId: other.id } as const;
    return telling(givenMember(stock, organizationId, other.id), member);
  },
  'someone is a member no more': ({ organizations, organizationId, user }) => {
    const member = { organizationId, userId: user.id };
    return telling(organizations.removeMember(member, anEvent()), { kind: 'membership', ...member });
  },
  'an organization has another name': ({ organizations, organizationId: id }) =>
    telling(
      organizations.update(id, { name: 'Foundry' }, () => anEvent()),
      changed('organization', { id }),
    ),
  'an organization is deleted, and with it its memberships': ({ organizations, organizationId, user }) =>
    telling(
      organizations.delete(organizationId, () => anEvent()),
      changed('organization', { id: organizationId }),
      { kind: 'membership', organizationId, userId: user.id },
    ),
  'a key comes into being': ({ signingKeys }) => {
    const key = aSigningKey();
    return telling(signingKeys.insert(key, anEvent()), changed('key', key));
  },
  'a key is activated, and another one is not any more': ({ signingKeys, active, staged }) =>
    telling(
      signingKeys.activate(staged.id, START, anEvent()),
      changed('key', active),
      changed('key', staged),
    ),
  'a key is retired': ({ signingKeys, verifying }) =>
    telling(signingKeys.retire(verifying.id, START, aRevocation(), anEvent()), changed('key', verifying)),
  'a service comes into being': async (stock) => [ofService(await givenService(stock, aService()))],
  'a service is opened to an account only': (stock) => changingService(stock, { openTo: [stock.accountId] }),
  'a service gets a scope': (stock) => {
    const { name, scopes } = stock.service;
    return changingService(stock, { scopes: [...scopes, aServiceScope(`${name}:write`)] });
  },
  'a scope of a service is removed': (stock) =>
    changingService(stock, {
      scopes: stock.service.scopes.map((scope) => ({ ...scope, removedAt: START })),
    }),
  'a service gets a credential': (stock) =>
    changingService(stock, { credentials: [...stock.service.credentials, aCredential()] }),
  'a credential of a service is revoked': (stock) =>
    changingService(stock, {
      credentials: stock.service.credentials.map((credential) => ({ ...credential, revokedAt: START })),
    }),
  'a service is deleted': (stock) => changingService(stock, { deletedAt: START }),
};

const ofService = ({ name }: Service): Change => ({ kind: 'service', id: name });

function changingService(
  { services, service }: Awaited<ReturnType<typeof givenStock>>,
  parts: Partial<Service>,
) {
  const update = services.update(
    service.name,
    (before) => ok({ ...before, ...parts }),
    () => anEvent(),
  );
  return telling(update, ofService(service));
}
