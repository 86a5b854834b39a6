import { createHmac } from 'node:crypto';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import {
  anEvent,
  createFakeKeyEncryption,
  createWorldWithAdmins,
  inPerson,
  OPERATOR,
  START,
  unwrap,
  type World,
} from '../../testing/index.ts';
import type { AuditEvent } from '../audit/audit-event.ts';
import type { AuditPosition } from '../audit/seals/audit-seal.ts';
import type { Delivery, DeliveryId, SealedEvent } from '../reactions/reaction.ts';
import { addMilliseconds } from '../time/instant.ts';
import type { User } from '../users/user.ts';
import { createWebhook, deleteWebhook, updateWebhook } from './manage-webhooks.ts';
import { MAX_RETRY_AFTER_MS, retryAfterMs } from './retry-after.ts';
import { rotateWebhookSecret } from './rotate-webhook-secret.ts';
import { disableWebhook } from './switch-webhook.ts';
import { MAX_WEBHOOKS, type Webhook } from './webhook.ts';
import type { WebhookInput } from './webhook-input.ts';
import { createWebhookReaction, WEBHOOK_PLAN } from './webhook-reaction.ts';

const INPUT: WebhookInput = {
  url: 'https://hooks.example/path',
  description: 'Chat',
  actions: 'all',
  includesAddresses: false,
};

describe('webhooks react to events', () => {
  let world: World;
  let ada: User;
  let eve: User;
  const noteAttempt = vi.fn();
  beforeEach(async () => {
    ({ world, ada, eve } = await createWorldWithAdmins());
    noteAttempt.mockReset();
  });

  const reaction = () => createWebhookReaction({ ...world, noteAttempt });
  const create = async (by: User | 'operator', input: Partial<WebhookInput> = {}) => {
    const all = { ...INPUT, ...input };
    const created =
      by === 'operator'
        ? await createWebhook(world)(OPERATOR, { ...all, accountId: null })
        : await createWebhook(world)(inPerson(by), all);
    return unwrap(created);
  };
  let position = 0;
  const sealed = (parts: Partial<AuditEvent> = {}): SealedEvent => {
    position += 1;
    return { position: position as AuditPosition, event: anEvent({ accountId: ada.accountId, ...parts }) };
  };
  const addressed = async (...events: readonly SealedEvent[]) =>
    (await reaction().address(events)).map(({ lane, position: at }) => [lane, at]);
  async function handle(webhook: Webhook, event = sealed()) {
    const delivery: Delivery = {
      ...event,
      id: 1 as DeliveryId,
      tries: 0,
      lane: `webhook ${webhook.id}` as Delivery['lane'],
    };
    return reaction().handle(delivery);
  }

  test('an event waits for each webhook of its account and of the installation that wants it', async () => {
    const { webhook: all } = await create(ada);
    const { webhook: some } = await create(ada, { actions: ['token.revoked'] });
    const { webhook: global } = await create('operator');
    const { webhook: other } = await create(eve);
    const lane = ({ id }: Webhook) => `webhook ${id}`;
    const created = sealed({ action: 'token.created' });
    const revoked = sealed({ action: 'token.revoked' });
    const ofKey = sealed({ action: 'key.created', accountId: null });
    const theirs = sealed({ action: 'token.created', accountId: eve.accountId });
    expect(await addressed(created, revoked, ofKey, theirs)).toEqual([
      [lane(all), created.position],
      [lane(global), created.position],
      [lane(all), revoked.position],
      [lane(some), revoked.position],
      [lane(global), revoked.position],
      [lane(global), ofKey.position],
      [lane(global), theirs.position],
      [lane(other), theirs.position],
    ]);
    unwrap(await disableWebhook(world)(OPERATOR, all.id));
    expect(await addressed(created)).toEqual([[lane(global), created.position]]);
  });

  test('an account whose receivers are slow leaves places to others', () => {
    expect(WEBHOOK_PLAN.concurrency).toBeGreaterThan(MAX_WEBHOOKS);
  });

  test('a message is signed as Standard Webhooks 1.0 describes it, and is the same at each try', async () => {
    const { webhook, secret } = await create(ada);
    const event = sealed();
    world.clock.advance(1500);
    expect(await handle(webhook, event)).toEqual({ kind: 'done' });
    world.clock.advance(60_000);
    await handle(webhook, event);
    const [first, again] = world.webhookSender.sent;
    expect(first?.url).toBe(INPUT.url);
    const {
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': signature,
    } = first?.headers ?? {};
    expect(id).toBe(`msg_${webhook.id}_${event.position}`);
    expect(timestamp).toBe(`${START / 1000 + 1}`);
    const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
    const expected = createHmac('sha256', key).update(`${id}.${timestamp}.${first?.body}`).digest('base64');
    expect(signature).toBe(`v1,${expected}`);
    expect([again?.headers['webhook-id'], again?.body]).toEqual([id, first?.body]);
    expect(again?.headers['webhook-signature']).not.toBe(signature);
  });

  test('while the secret is rotated, both sign; then only the new one', async () => {
    const { webhook } = await create(ada);
    const signatures = async () => {
      await handle(webhook);
      return world.webhookSender.sent.at(-1)?.headers['webhook-signature']?.split(' ') ?? [];
    };
    unwrap(await rotateWebhookSecret(world)(inPerson(ada), { id: webhook.id, graceMs: 1000 }));
    const both = await signatures();
    expect(both).toHaveLength(2);
    expect(new Set(both).size).toBe(2);
    world.clock.advance(1000);
    expect(await signatures()).toHaveLength(1);
  });

  test('each attempt is recorded and counted, without anything of the answer but its status', async () => {
    const { webhook } = await create(ada);
    const event = sealed({ action: 'token.created' });
    world.webhookSender.answers(
      { kind: 'failed', problem: 'tls_failed' },
      { kind: 'answered', status: 500, retryAfter: '5' },
    );
    expect(await handle(webhook, event)).toEqual({ kind: 'failed', problem: 'tls_failed' });
    expect(await handle(webhook, event)).toEqual({ kind: 'failed', problem: 'status 500' });
    const { position: at } = event;
    const attempts = await world.webhooks.listAttempts(webhook.id);
    const attempt = { at: START, position: at, action: 'token.created' };
    expect(attempts).toEqual([
      { ...attempt, outcome: { kind: 'answered', status: 500 } },
      { ...attempt, outcome: { kind: 'failed', problem: 'tls_failed' } },
    ]);
    expect(noteAttempt.mock.calls.flat()).toEqual(attempts.map(({ outcome }) => outcome).toReversed());
  });

  test.each([
    [429, '120', 120_000],
    [503, '999999', MAX_RETRY_AFTER_MS],
    [503, 'Thu, 01 Jan 2026 00:01:00 GMT', 60_000],
    [503, 'soon', undefined],
    [500, '120', undefined],
  ])(
    'the status %i with Retry-After %o is tried again after %o ms at the earliest',
    async (status, header, ms) => {
      const { webhook } = await create(ada);
      world.webhookSender.answers({ kind: 'answered', status, retryAfter: header });
      expect(await handle(webhook)).toEqual({
        kind: 'failed',
        problem: `status ${status}`,
        ...(ms !== undefined && { retryAfterMs: ms }),
      });
    },
  );

  test('a date of Retry-After that is over or in another spelling means nothing', () => {
    expect(retryAfterMs('Wed, 31 Dec 2025 00:00:00 GMT', START)).toBe(0);
    expect(retryAfterMs('2026-01-01T00:01:00Z', START)).toBeUndefined();
    expect(retryAfterMs('Thu, 32 Jan 2026 00:00:00 GMT', START)).toBeUndefined();
    expect(retryAfterMs('-5', START)).toBeUndefined();
    expect(retryAfterMs(undefined, START)).toBeUndefined();
  });

  test('a receiver that answers 410 disables its webhook, with an event of Gatehouse', async () => {
    const { webhook } = await create(ada);
    world.webhookSender.answers({ kind: 'answered', status: 410 });
    expect(await handle(webhook)).toMatchObject({ kind: 'dropped' });
    expect((await world.webhooks.find(webhook))?.disabled).toEqual({ at: START, reason: 'gone' });
    const [newest] = await world.audit.list({ limit: 1 });
    expect(newest?.event).toMatchObject({
      action: 'webhook.disabled',
      actor: { kind: 'system' },
      accountId: ada.accountId,
      details: { name: 'Chat', host: 'hooks.example' },
    });
  });

  test('410 does not disable a webhook that got another address meanwhile', async () => {
    const { webhook } = await create(ada);
    const { send } = world.webhookSender;
    const webhookSender = {
      ...world.webhookSender,
      async send(...message: Parameters<typeof send>) {
        unwrap(await updateWebhook(world)(inPerson(ada), webhook.id, { url: 'https://new.example/' }));
        await send(...message);
        return { kind: 'answered', status: 410 } as const;
      },
    };
    const handling = createWebhookReaction({ ...world, webhookSender, noteAttempt });
    const delivery = {
      ...sealed(),
      id: 1 as DeliveryId,
      tries: 0,
      lane: `webhook ${webhook.id}` as Delivery['lane'],
    };
    expect(await handling.handle(delivery)).toMatchObject({ kind: 'failed' });
    expect((await world.webhooks.find(webhook))?.disabled).toBeNull();
  });

  test('nothing is sent to a webhook that is disabled or deleted', async () => {
    const { webhook } = await create(ada);
    unwrap(await disableWebhook(world)(inPerson(ada), webhook.id));
    expect(await handle(webhook)).toEqual({ kind: 'dropped', problem: 'the webhook is disabled' });
    unwrap(await deleteWebhook(world)(inPerson(ada), webhook.id));
    expect(await handle(webhook)).toEqual({ kind: 'dropped', problem: 'the webhook was deleted' });
    expect(world.webhookSender.sent).toEqual([]);
  });

  test('a secret that the master key does not decrypt signs nothing', async () => {
    const { webhook } = await create(ada);
    world = { ...world, encryption: createFakeKeyEncryption('other') };
    expect(await handle(webhook)).toEqual({ kind: 'failed', problem: 'master_key_rejected' });
    expect(world.webhookSender.sent).toEqual([]);
  });

  test('the plan tries 20 times within three to four days', () => {
    const { tries, firstPauseMs, longestPauseMs } = WEBHOOK_PLAN;
    const pauses = Array.from({ length: tries - 1 }, (_, count) =>
      Math.min(firstPauseMs * 2 ** count, longestPauseMs),
    );
    const days = pauses.reduce((sum, each) => sum + each, 0) / 86_400_000;
    expect(days).toBeGreaterThan(3);
    expect(days).toBeLessThan(4);
    expect(addMilliseconds(START, WEBHOOK_PLAN.deadlineMs)).toBeGreaterThan(START + 15_000);
  });
});
