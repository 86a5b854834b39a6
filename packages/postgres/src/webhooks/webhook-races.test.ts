import {
  anEvent,
  aWebhook,
  givenAccount,
  givenWebhook,
  givenWitness,
  START,
} from '@gatehouse/domain/testing';
import type { WebhookRepository } from '@gatehouse/domain/webhooks';
import { afterAll, describe, expect, test } from 'vitest';
import { GATE_HOLDS, openStage, type Part } from '../../testing/stage.ts';
import { withoutLocks } from '../../testing/without-locks.ts';
import type { Database } from '../database/database.ts';
import { createPostgresSigningKeyRepository } from '../signing-keys/signing-key-repository.ts';
import { createPostgresWebhookRepository } from './webhook-repository.ts';

type Make = (database: Database) => WebhookRepository;

const locked: Make = createPostgresWebhookRepository;
const unlocked: Make = (database) => createPostgresWebhookRepository(withoutLocks(database));
const OK = expect.objectContaining({ ok: true });
const BEHIND = { at: 'gate', letGo: 'first' } as const;

describe('webhooks on two servers', { timeout: 60_000 }, async () => {
  const stage = await openStage();
  afterAll(stage.close);

  /** Two servers create the only webhook that the account may have: how many succeed? */
  async function raceToCreate(make: Make, accountId: Awaited<ReturnType<typeof givenAccount>>['id'] | null) {
    const { store } = stage;
    const witness = await givenWitness(store);
    const limit = accountId === null ? (await store.webhooks.list({ accountId, limit: 1000 })).length + 1 : 1;
    const part = async (): Promise<Part<{ readonly ok: boolean }>> => {
      const webhook = aWebhook({ id: await store.webhooks.nextId(), accountId });
      return ({ database, event }) =>
        make(database).insert(webhook, { limit, witness }, { ...event(), accountId });
    };
    const created = await stage.race(await part(), await part(), BEHIND);
    return created.filter(({ ok }) => ok).length;
  }

  test('the last webhook of an account is created by one of them, and by both without the lock', async () => {
    expect(await raceToCreate(locked, (await givenAccount(stage.store)).id)).toBe(1);
    expect(await raceToCreate(unlocked, (await givenAccount(stage.store)).id)).toBe(2);
  });

  test('the last webhook of the installation is created by one of them', async () => {
    expect(await raceToCreate(locked, null)).toBe(1);
  });

  test.each(GATE_HOLDS)(
    'a new secret and a deletion at once end in one order ($letGo first)',
    async (hold) => {
      const webhook = await givenWebhook(stage.store);
      const witness = await givenWitness(stage.store);
      const rotation = { sealedSecret: webhook.url as never, formerUntil: null, witness };
      const rotate: Part<{ readonly ok: boolean }> = ({ database, event }) =>
        locked(database).rotateSecret(webhook, rotation, () => event());
      const remove: Part<{ readonly ok: boolean }> = ({ database, event }) =>
        locked(database).delete(webhook, () => event());
      const [, removed] = await stage.race(rotate, remove, hold);
      expect(removed).toEqual(OK);
      expect(await stage.store.webhooks.findSealed(webhook.id)).toBeUndefined();
    },
  );

  test('no secret of the former master key is stored while the signing keys are re-encrypted', async () => {
    const { store } = stage;
    const witness = await givenWitness(store);
    const webhook = aWebhook({ id: await store.webhooks.nextId() });
    const next = 'of the next master key' as typeof witness.sealedSecret;
    const keys = (await store.signingKeys.list()).filter(({ state }) => state !== 'retired');
    const resealings = keys.map(({ id, sealedSecret: from }) => ({ id, from, to: next }));
    const reseal: Part<{ readonly ok: boolean }> = ({ database, event }) =>
      createPostgresSigningKeyRepository(database).reseal(resealings, [event()]);
    const insert: Part<{ readonly ok: boolean }> = ({ database, event }) =>
      locked(database).insert(webhook, { limit: 1000, witness }, event());
    const [resealed, inserted] = await stage.race(reseal, insert, BEHIND);
    expect(resealed).toEqual(OK);
    expect(inserted).toEqual({ ok: false, error: { code: 'keys_changed' } });
    expect(await store.webhooks.find(webhook)).toBeUndefined();
  });

  test('an attempt of a webhook that is being deleted is not kept', async () => {
    const webhook = await givenWebhook(stage.store);
    const attempt = {
      at: START,
      position: null,
      action: 'webhook.test',
      outcome: { kind: 'answered', status: 200 },
    } as const;
    await Promise.all([
      stage.store.webhooks.delete(webhook, () => anEvent()),
      stage.store.webhooks.recordAttempt(webhook.id, attempt, true),
    ]);
    expect(await stage.store.webhooks.listAttempts(webhook.id)).toEqual([]);
  });
});
