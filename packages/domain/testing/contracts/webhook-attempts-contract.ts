import { describe, expect, test } from 'vitest';
import type { AuditPosition } from '../../src/audit/index.ts';
import { err, ok } from '../../src/index.ts';
import { addMilliseconds } from '../../src/time/index.ts';
import {
  type Attempt,
  KEPT_ATTEMPTS,
  MAX_TESTS,
  TEST_LASTS_MS,
  TEST_WINDOW_MS,
  type WebhookId,
} from '../../src/webhooks/index.ts';
import { anEvent, START } from '../fixtures.ts';
import type { OpenRepositories } from '../repositories.ts';
import { givenWebhook } from '../webhook-fixtures.ts';
import { isDeeplyFrozen } from './is-deeply-frozen.ts';
import { openRepositories } from './open-repositories.ts';

const at = (milliseconds: number) => addMilliseconds(START, milliseconds);

export function webhookAttemptsContract(name: string, open: OpenRepositories): void {
  describe(`${name} keeps the contract of WebhookRepository: attempts`, () => {
    const store = openRepositories(open);
    const attempt = (parts: Partial<Attempt> = {}): Attempt => ({
      at: START,
      position: 7 as AuditPosition,
      action: 'token.created',
      outcome: { kind: 'answered', status: 500 },
      ...parts,
    });
    const record = (id: WebhookId, made: Attempt) =>
      store().webhooks.recordAttempt(id, made, made.outcome.kind === 'answered' && made.outcome.status < 300);
    const failingSince = async (id: WebhookId) => (await store().webhooks.find({ id }))?.failingSince;

    test('the last attempts of a webhook are kept, newest first', async () => {
      const [{ id }, other] = [await givenWebhook(store()), await givenWebhook(store())];
      expect(await store().webhooks.listAttempts(id)).toEqual([]);
      await record(other.id, attempt());
      const made = Array.from({ length: KEPT_ATTEMPTS + 3 }, (_, index) => attempt({ at: at(index) }));
      for (const each of made) await record(id, each);
      const refused = attempt({ outcome: { kind: 'failed', problem: 'address_refused' }, position: null });
      await record(id, refused);
      const kept = await store().webhooks.listAttempts(id);
      expect(kept).toEqual([refused, ...made.slice(4).toReversed()]);
      expect(kept).toSatisfy(isDeeplyFrozen);
      expect(await store().webhooks.listAttempts(other.id)).toEqual([attempt()]);
    });

    test('a webhook fails from its first failed attempt until an event is delivered', async () => {
      const { id } = await givenWebhook(store());
      const delivered = attempt({ outcome: { kind: 'answered', status: 204 } });
      await record(id, attempt({ at: at(1) }));
      await record(id, attempt({ at: at(2) }));
      expect(await failingSince(id)).toBe(at(1));
      await record(id, { ...delivered, position: null });
      expect(await failingSince(id)).toBe(at(1));
      await record(id, delivered);
      expect(await failingSince(id)).toBeNull();
      await record(id, attempt({ position: null }));
      expect(await failingSince(id)).toBeNull();
    });

    test('a new address is not known to fail, and an attempt for a deleted webhook is nothing', async () => {
      const webhook = await givenWebhook(store());
      await record(webhook.id, attempt());
      await store().webhooks.update(webhook, { description: 'Same address' }, () => anEvent());
      expect(await failingSince(webhook.id)).toBe(START);
      await store().webhooks.update(webhook, { url: 'https://new.example/' }, () => anEvent());
      expect(await failingSince(webhook.id)).toBeNull();
      await store().webhooks.delete(webhook, () => anEvent());
      await record(webhook.id, attempt());
      expect(await store().webhooks.listAttempts(webhook.id)).toEqual([]);
    });

    test('troubled ones fail for long enough, or their receivers disabled them', async () => {
      const [lately, long, gone, off] = [
        await givenWebhook(store()),
        await givenWebhook(store()),
        await givenWebhook(store()),
        await givenWebhook(store()),
      ];
      await record(lately.id, attempt({ at: at(1000) }));
      await record(long.id, attempt({ at: at(10) }));
      await store().webhooks.setDisabled(gone, { at: START, reason: 'gone' }, () => anEvent());
      await store().webhooks.setDisabled(off, { at: START, reason: 'requested' }, () => anEvent());
      const troubled = await store().webhooks.listTroubled({ failingSince: at(10), limit: 1000 });
      const ours = [lately, long, gone, off].map(({ id }) => id);
      expect(troubled.map(({ id }) => id).filter((id) => ours.includes(id))).toEqual([long.id, gone.id]);
      expect(await store().webhooks.listTroubled({ failingSince: at(10), limit: 1 })).toHaveLength(1);
    });

    test('one test of a webhook runs at a time, until it is recorded or its time is over', async () => {
      const webhook = await givenWebhook(store());
      const begin = (now: number) => store().webhooks.beginTest(webhook, at(now));
      const tooSoon = (retryAfterSeconds: number) =>
        err({ code: 'webhook_test_too_soon', retryAfterSeconds });
      expect(await begin(0)).toEqual(ok(undefined));
      expect(await begin(1)).toEqual(tooSoon(TEST_LASTS_MS / 1000));
      await record(webhook.id, attempt());
      expect(await begin(1)).toEqual(tooSoon(TEST_LASTS_MS / 1000));
      await record(webhook.id, attempt({ position: null }));
      expect(await begin(2)).toEqual(ok(undefined));
      expect(await begin(2 + TEST_LASTS_MS)).toEqual(ok(undefined));
      // A clock that was set back by an hour does not end the tests for an hour.
      expect(await begin(-3_600_000)).toEqual(ok(undefined));
    });

    test('six tests begin within a minute', async () => {
      const webhook = await givenWebhook(store());
      const begin = (now: number) => store().webhooks.beginTest(webhook, at(now));
      for (let count = 0; count < MAX_TESTS; count += 1) {
        expect(await begin(count * 1000)).toEqual(ok(undefined));
        await record(webhook.id, attempt({ position: null }));
      }
      expect(await begin(TEST_WINDOW_MS - 1)).toEqual(
        err({ code: 'webhook_test_too_soon', retryAfterSeconds: 1 }),
      );
      expect(await begin(TEST_WINDOW_MS)).toEqual(ok(undefined));
    });

    test('of two tests that begin at once, one does', async () => {
      const webhook = await givenWebhook(store());
      const begun = await Promise.all([START, START].map((now) => store().webhooks.beginTest(webhook, now)));
      expect(begun.filter((each) => each.ok)).toHaveLength(1);
    });
  });
}
