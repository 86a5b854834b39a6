import { err, ok } from '@gatehouse/domain';
import type { Service, ServiceName, ServiceRepository } from '@gatehouse/domain/services';
import {
  aCredential,
  aService,
  givenAdmin,
  givenService,
  givenToken,
  START,
} from '@gatehouse/domain/testing';
import { sql } from 'kysely';
import { afterAll, describe, expect, test } from 'vitest';
import { GATE_HOLDS, openStage, type Part } from '../../testing/stage.ts';
import { withoutLocks } from '../../testing/without-locks.ts';
import type { Database } from '../database/database.ts';
import { createPostgresServiceRepository } from './service-repository.ts';

type Make = (database: Database) => ServiceRepository;
type Updated = Awaited<ReturnType<ServiceRepository['update']>>;

const unlocked: Make = (database) => createPostgresServiceRepository(withoutLocks(database));

describe('concurrent changes of services', { timeout: 60_000 }, async () => {
  const stage = await openStage();
  afterAll(stage.close);
  const { store } = stage;

  const stored = async (name: ServiceName) =>
    (await store.services.list()).find((each) => each.name === name);

  const update =
    (make: Make, name: ServiceName, change: (before: Service) => Service): Part<Updated> =>
    ({ database, event }) =>
      make(database).update(
        name,
        (before) => ok(change(before)),
        () => event(),
      );

  /** The description and the accounts are changed at once, both in the row of the service. Which changes are stored? */
  async function raceForRow(make: Make) {
    const outcomes: unknown[] = [];
    for (const hold of GATE_HOLDS) {
      const { name } = await givenService(store, { description: 'Before', openTo: 'all' });
      const describing = update(make, name, (before) => ({ ...before, description: 'After' }));
      const closing = update(make, name, (before) => ({ ...before, openTo: [] }));
      await stage.race(describing, closing, hold);
      const after = await stored(name);
      outcomes.push([after?.description, after?.openTo]);
    }
    return outcomes;
  }

  test('both take effect, but not without locks', async () => {
    expect(await raceForRow(createPostgresServiceRepository)).toEqual(GATE_HOLDS.map(() => ['After', []]));
    expect(await raceForRow(unlocked)).not.toContainEqual(['After', []]);
  });

  /** A credential is added while another one is revoked. */
  test.each(GATE_HOLDS)('of its credentials both take effect: $letGo', async (hold) => {
    const [old, added] = [aCredential(), aCredential()];
    const { name } = await givenService(store, { credentials: [old] });
    const adding = update(createPostgresServiceRepository, name, (before) => ({
      ...before,
      credentials: [...before.credentials, added],
    }));
    const revoking = update(createPostgresServiceRepository, name, (before) => ({
      ...before,
      credentials: before.credentials.map((each) =>
        each.id === old.id ? { ...each, revokedAt: START } : each,
      ),
    }));
    await stage.race(adding, revoking, hold);
    expect((await stored(name))?.credentials).toEqual([{ ...old, revokedAt: START }, added]);
  });

  /** A credential is created behind the deletion of its service. */
  async function raceWithDeletion(make: Make) {
    const { name } = await givenService(store);
    const deletion = update(make, name, (before) => ({ ...before, deletedAt: START }));
    const creation = update(make, name, (before) => ({ ...before, credentials: [aCredential()] }));
    const [deleted, created] = await stage.race(deletion, creation, { at: 'gate', letGo: 'first' });
    expect(deleted.ok).toBe(true);
    return created;
  }

  test('nothing is added to a service that is being deleted, but it is without locks', async () => {
    const notFound = err({ code: 'service_not_found' });
    expect(await raceWithDeletion(createPostgresServiceRepository)).toEqual(notFound);
    expect(await raceWithDeletion(unlocked)).toMatchObject({ ok: true });
  });

  test.each(GATE_HOLDS)('of two services with one name one is created: $letGo', async (hold) => {
    const { name } = aService();
    const create =
      (description: string): Part<{ readonly ok: boolean }> =>
      ({ store: { services }, event }) =>
        services.insert({ ...aService({ name }), description }, event());
    const outcomes = await stage.race(create('one'), create('other'), hold);
    expect(outcomes).toEqual([ok(undefined), err({ code: 'service_name_taken' })]);
    expect((await stored(name))?.description).toBe('one');
  });

  test('delay no use of a token at the service', async () => {
    const { name } = await givenService(store);
    const token = await givenToken(store, await givenAdmin(store));
    let isChanged = false;
    const change: Part<unknown> = async (side) => {
      await update(createPostgresServiceRepository, name, (before) => ({ ...before, deletedAt: START }))(
        side,
      );
      isChanged = true;
    };
    const use: Part<boolean> = async ({ database }) => {
      await sql`
        insert into token_service_uses (token_id, service, last_used_at)
        values (${token.id}, ${name}, now())`.execute(database.queries);
      return isChanged;
    };
    const [, waited] = await stage.race(change, use, { at: 'gate', letGo: 'first' });
    expect(waited).toBe(false);
  });
});
