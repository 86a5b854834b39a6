import { describe, expect, test } from 'vitest';
import type { AccountId } from '../../src/accounts/index.ts';
import { err, ok, type Result } from '../../src/index.ts';
import type { Service, ServiceName } from '../../src/services/index.ts';
import { addMilliseconds } from '../../src/time/index.ts';
import { anEvent, givenAccount, givenToken, givenUser, START, unwrap } from '../fixtures.ts';
import type { OpenRepositories } from '../repositories.ts';
import { aCredential, aService, aServiceScope, givenService } from '../service-fixtures.ts';
import { isDeeplyFrozen } from './is-deeply-frozen.ts';
import { newestEvent, openRepositories } from './open-repositories.ts';

const UNKNOWN_ACCOUNT = 999_999_999 as AccountId;
const later = (milliseconds: number) => addMilliseconds(START, milliseconds);

/** The contract of every ServiceRepository. */
export function serviceRepositoryContract(name: string, open: OpenRepositories): void {
  describe(`${name} keeps the contract of ServiceRepository`, () => {
    const store = openRepositories(open);

    const stored = async ({ name }: Pick<Service, 'name'>) =>
      (await store().services.list()).find((each) => each.name === name);
    const eventsOf = async (action: 'service.created' | 'service.updated') =>
      (await store().audit.list({ actions: [action], limit: 1000 })).length;

    /** Changes the service, and returns what is stored then. */
    async function changed({ name }: Service, change: (before: Service) => Service) {
      const event = anEvent({ action: 'service.updated', subject: { type: 'service', id: name } });
      const updated = unwrap(
        await store().services.update(
          name,
          (before) => ok(change(before)),
          () => event,
        ),
      );
      expect(await newestEvent(store())).toEqual(event);
      const after = await stored({ name });
      expect(after).toEqual(updated.after);
      return after;
    }

    test('a service is listed as it was stored, with its event', async () => {
      const [one, other] = [await givenAccount(store()), await givenAccount(store())];
      const { name } = aService();
      const service = aService({
        name,
        description: 'Orders “of” customers\n',
        openTo: [one.id, other.id],
        scopes: [
          aServiceScope(`${name}:write`, { label: 'Write', allows: 'Änderungen.' }),
          aServiceScope(`${name}:read`, { removedAt: later(3) }),
        ],
        credentials: [
          aCredential({ expiresAt: later(123), revokedAt: later(1) }),
          aCredential({ createdAt: later(5) }),
        ],
        createdAt: later(7),
      });
      const event = anEvent({ action: 'service.created', subject: { type: 'service', id: name } });
      expect(await store().services.insert(service, event)).toEqual(ok(undefined));
      expect(await stored(service)).toEqual(service);
      expect(await store().services.list()).toSatisfy(isDeeplyFrozen);
      expect(await newestEvent(store())).toEqual(event);
    });

    test('services are listed by name, whatever the order of their creation', async () => {
      const names = ['order-items', 'order', 'orders', 'order2', 'a'] as ServiceName[];
      for (const name of names) await givenService(store(), { name });
      const listed = (await store().services.list()).map(({ name }) => name);
      expect(listed.filter((name) => names.includes(name))).toEqual(names.toSorted());
      expect(listed).toEqual(listed.toSorted());
    });

    test('a name is not used again, also after the service was deleted', async () => {
      const service = await givenService(store());
      const taken = err({ code: 'service_name_taken' });
      const created = await eventsOf('service.created');
      const again = { ...aService(), name: service.name };
      const event = anEvent({ action: 'service.created' });
      expect(await store().services.insert(again, event)).toEqual(taken);
      const deleted = await changed(service, (before) => ({ ...before, deletedAt: later(1) }));
      expect(await store().services.insert(again, event)).toEqual(taken);
      expect(await stored(service)).toEqual(deleted);
      expect(await eventsOf('service.created')).toBe(created);
    });

    test('a name is not used if a token has a scope that begins with it', async () => {
      const service = aService();
      const { id } = await givenAccount(store());
      const scopes = [`${service.name}-2:read`, `x${service.name}:read`] as const;
      await givenToken(store(), await givenUser(store(), id), { scopes });
      const like = await givenService(store(), { name: `${service.name}-3` as ServiceName });
      expect(await stored(like)).toEqual(like);
      await givenToken(store(), await givenUser(store(), id), { scopes: [`${service.name}:read`] });
      expect(await store().services.insert(service, anEvent())).toEqual(err({ code: 'service_name_taken' }));
      expect(await stored(service)).toBeUndefined();
    });

    test('of services that are created at once with one name, one is stored', async () => {
      const { name } = aService();
      const services = [1, 2, 3].map((n) => ({ ...aService(), name, description: `${n}`, scopes: [] }));
      const created = await eventsOf('service.created');
      const outcomes = await Promise.all(
        services.map((service) => store().services.insert(service, anEvent({ action: 'service.created' }))),
      );
      expect(outcomes.filter(({ ok }) => ok)).toHaveLength(1);
      expect(await stored({ name })).toEqual(services.find((_, index) => outcomes[index]?.ok));
      expect(await eventsOf('service.created')).toBe(created + 1);
    });

    test('a service is opened only to accounts that exist', async () => {
      const { id } = await givenAccount(store());
      const unknown = err({ code: 'account_not_found' });
      const service = aService({ openTo: [id, UNKNOWN_ACCOUNT] });
      expect(await store().services.insert(service, anEvent())).toEqual(unknown);
      expect(await stored(service)).toBeUndefined();

      const { name } = await givenService(store(), { openTo: [id] });
      const before = await stored({ name });
      const updates = await eventsOf('service.updated');
      const opened = await store().services.update(
        name,
        (service) => ok({ ...service, description: 'Changed', openTo: [id, UNKNOWN_ACCOUNT] }),
        () => anEvent({ action: 'service.updated' }),
      );
      expect(opened).toEqual(unknown);
      expect(await stored({ name })).toEqual(before);
      expect(await eventsOf('service.updated')).toBe(updates);
    });

    test('the description changes, and is removed', async () => {
      const service = await givenService(store(), { description: 'Before' });
      const description = 'After';
      expect(await changed(service, (before) => ({ ...before, description }))).toEqual({
        ...service,
        description,
      });
      const without = await changed(service, (before) => ({ ...before, description: null }));
      expect(without).toEqual({ ...service, description: null });
    });

    test('the accounts to which a service is open change', async () => {
      const [a, b, c] = [
        (await givenAccount(store())).id,
        (await givenAccount(store())).id,
        (await givenAccount(store())).id,
      ];
      const service = await givenService(store(), { openTo: [a, b] });
      const other = await givenService(store(), { openTo: [a, b] });
      for (const openTo of [[b, c], 'all', [a], [], [a, c], 'all'] as const) {
        expect(await changed(service, (before) => ({ ...before, openTo }))).toEqual({ ...service, openTo });
      }
      expect(await stored(other)).toEqual(other);
    });

    test('scopes are added at the end, and removed where they are', async () => {
      const { name } = aService();
      const [first, second, third] = ['z', 'a', 'm'].map((word) => aServiceScope(`${name}:${word}`)) as [
        Service['scopes'][number],
        Service['scopes'][number],
        Service['scopes'][number],
      ];
      const service = await givenService(store(), { name, scopes: [first] });
      const add =
        (...added: Service['scopes']) =>
        (before: Service) => ({
          ...before,
          scopes: [...before.scopes, ...added],
        });
      await changed(service, add(second));
      const both = await changed(service, (before) => ({
        ...before,
        scopes: [{ ...first, removedAt: later(2) }, ...before.scopes.slice(1)],
      }));
      expect(both?.scopes).toEqual([{ ...first, removedAt: later(2) }, second]);
      const all = await changed(service, add(third));
      expect(all?.scopes).toEqual([{ ...first, removedAt: later(2) }, second, third]);
    });

    test('credentials are added, and end', async () => {
      const [first, second] = [aCredential(), aCredential({ createdAt: later(1) })];
      const service = await givenService(store(), { credentials: [first] });
      await changed(service, (before) => ({ ...before, credentials: [...before.credentials, second] }));
      const ended = await changed(service, (before) => ({
        ...before,
        credentials: before.credentials.map((credential) =>
          credential.id === first.id
            ? { ...credential, expiresAt: later(9), revokedAt: later(5) }
            : credential,
        ),
      }));
      expect(ended?.credentials).toEqual([{ ...first, expiresAt: later(9), revokedAt: later(5) }, second]);
    });

    test('a deleted service is listed, but cannot be changed', async () => {
      const service = await givenService(store(), { credentials: [aCredential()] });
      const deleted = await changed(service, (before) => ({ ...before, deletedAt: later(4) }));
      expect(deleted).toEqual({ ...service, deletedAt: later(4) });
      const revive = (name: ServiceName) =>
        store().services.update(
          name,
          (before) => ok({ ...before, deletedAt: null }),
          () => anEvent(),
        );
      const notFound = err({ code: 'service_not_found' });
      expect(await revive(service.name)).toEqual(notFound);
      expect(await stored(service)).toEqual(deleted);
      expect(await revive('unknown' as ServiceName)).toEqual(notFound);
    });

    test('an error of the change, and a change of nothing, store nothing', async () => {
      const service = await givenService(store());
      const updates = await eventsOf('service.updated');
      const update = <E>(change: (before: Service) => Result<Service, E>) =>
        store().services.update(service.name, change, () => anEvent({ action: 'service.updated' }));
      expect(await update(() => err({ code: 'refused' }))).toEqual(err({ code: 'refused' }));
      const { before, after } = unwrap(await update((before) => ok(before)));
      expect(after).toBe(before);
      expect(before).toEqual(service);
      expect(await stored(service)).toEqual(service);
      expect(await eventsOf('service.updated')).toBe(updates);
    });

    test('the event is made from the service before and after the change', async () => {
      const service = await givenService(store());
      await store().services.update(
        service.name,
        (before) => ok({ ...before, description: 'After' }),
        (before, after) => anEvent({ details: { before: before.description, after: after.description } }),
      );
      expect((await newestEvent(store()))?.details).toEqual({ before: null, after: 'After' });
    });

    test('changes at the same time all take effect', async () => {
      const service = await givenService(store());
      const credentials = [1, 2, 3, 4].map(() => aCredential());
      const outcomes = await Promise.all(
        credentials.map((credential) =>
          store().services.update(
            service.name,
            (before) => ok({ ...before, credentials: [...before.credentials, credential] }),
            () => anEvent(),
          ),
        ),
      );
      expect(outcomes.map(({ ok }) => ok)).toEqual([true, true, true, true]);
      const ids = (await stored(service))?.credentials.map(({ id }) => id);
      expect(ids?.toSorted()).toEqual(credentials.map(({ id }) => id));
    });

    test('the secret of handles has 32 bytes, and stays the same', async () => {
      const secret = await store().services.findHandleSecret();
      expect(secret).toHaveLength(32);
      expect(new Set(secret).size).toBeGreaterThan(1);
      expect(await store().services.findHandleSecret()).toEqual(secret);
    });

    test('a credential that was never used has no use', async () => {
      const { credentials } = await givenService(store(), { credentials: [aCredential()] });
      const ids = [...credentials, aCredential()].map(({ id }) => id);
      expect(await store().services.findCredentialUses(ids)).toEqual(new Map());
      expect(await store().services.findCredentialUses([])).toEqual(new Map());
    });
  });
}
