import { beforeEach, describe, expect, test, vi } from 'vitest';
import {
  allPages,
  createFakeKeyEncryption,
  createPorts,
  createWorldWithAdmins,
  givenPerson,
  inPerson,
  OPERATOR,
  START,
  unwrap,
  type World,
} from '../../testing/index.ts';
import { err, ok } from '../result.ts';
import type { MasterKeys } from '../signing-keys/key-encryption.ts';
import { createKey } from '../signing-keys/manage-keys.ts';
import { rewrapKeys } from '../signing-keys/rewrap-keys.ts';
import { addMilliseconds } from '../time/instant.ts';
import type { User } from '../users/user.ts';
import { createWebhook, deleteWebhook, listWebhooks, showWebhook, updateWebhook } from './manage-webhooks.ts';
import { rotateWebhookSecret } from './rotate-webhook-secret.ts';
import { disableWebhook, enableWebhook } from './switch-webhook.ts';
import { testWebhook } from './test-webhook.ts';
import { type Webhook, webhookKeyId } from './webhook.ts';
import type { WebhookInput } from './webhook-input.ts';

const INPUT: WebhookInput = {
  url: 'https://hooks.example/a?key=private',
  description: 'Chat',
  actions: ['token.revoked', 'token.created', 'token.created'],
  includesAddresses: false,
};

describe('webhooks', () => {
  let world: World;
  let ada: User;
  let eve: User;
  beforeEach(async () => {
    ({ world, ada, eve } = await createWorldWithAdmins());
  });
  const create = (parts: Partial<WebhookInput> = {}, by = inPerson(ada)) =>
    createWebhook(world)(by, { ...INPUT, ...parts });
  const newest = async () => (await world.audit.list({ limit: 1 }))[0]?.event;
  const all = async (pages: AsyncIterable<readonly Webhook[]>) =>
    (await allPages(pages)).flat().map(({ id }) => id);

  test('an admin makes one for the own account only', async () => {
    const { accountId } = eve;
    expect(await createWebhook(world)(inPerson(ada), { ...INPUT, accountId })).toEqual(
      err({ code: 'not_allowed' }),
    );
    const made = unwrap(await create());
    expect(made.webhook).toMatchObject({
      accountId: ada.accountId,
      url: INPUT.url,
      actions: ['token.created', 'token.revoked'],
      createdAt: START,
      disabled: null,
    });
    expect(made.secret).toMatch(/^whsec_[\w+/]{43}=$/);
    const stored = await world.webhooks.findSealed(made.webhook.id);
    expect(JSON.stringify(stored)).not.toContain(made.secret.slice(6, 20));
    const event = await newest();
    expect(event).toMatchObject({
      action: 'webhook.created',
      accountId: ada.accountId,
      details: { name: 'Chat', host: 'hooks.example', actions: ['token.created', 'token.revoked'] },
    });
    expect(JSON.stringify(event)).not.toContain('private');
  });

  test('the operator makes one for an account or for the installation', async () => {
    const { accountId } = ada;
    const ofAccount = unwrap(await createWebhook(world)(OPERATOR, { ...INPUT, accountId }));
    const ofAll = unwrap(
      await createWebhook(world)(OPERATOR, { ...INPUT, accountId: null, description: ' ' }),
    );
    expect([ofAccount.webhook.accountId, ofAll.webhook.accountId]).toEqual([accountId, null]);
    expect((await newest())?.details).toMatchObject({ name: 'hooks.example' });
    expect(await createWebhook(world)(OPERATOR, INPUT)).toEqual(err({ code: 'account_not_found' }));
    const list = async (of: object) => all(unwrap(await listWebhooks(world)(OPERATOR, of)));
    expect(await list({})).toEqual([ofAccount.webhook.id, ofAll.webhook.id]);
    expect(await list({ accountId: null })).toEqual([ofAll.webhook.id]);
    expect(await list({ accountId })).toEqual([ofAccount.webhook.id]);
    expect(await all(unwrap(await listWebhooks(world)(inPerson(ada), {})))).toEqual([ofAccount.webhook.id]);
    expect(await listWebhooks(world)(OPERATOR, { accountId: 999 as never })).toEqual(
      err({ code: 'account_not_found' }),
    );
  });

  test('a webhook of another account or of the installation is not found', async () => {
    const { webhook } = unwrap(await create());
    const { webhook: global } = unwrap(await createWebhook(world)(OPERATOR, { ...INPUT, accountId: null }));
    const notFound = err({ code: 'webhook_not_found' });
    const by = inPerson(eve);
    for (const { id } of [webhook, global]) {
      expect(await showWebhook(world)(by, id)).toEqual(notFound);
      expect(await updateWebhook(world)(by, id, { description: 'Mine' })).toEqual(notFound);
      expect(await disableWebhook(world)(by, id)).toEqual(notFound);
      expect(await enableWebhook(world)(by, id)).toEqual(notFound);
      expect(await rotateWebhookSecret(world)(by, { id, graceMs: 0 })).toEqual(notFound);
      expect(await testWebhook(world)(by, id)).toEqual(notFound);
      expect(await deleteWebhook(world)(by, id)).toEqual(notFound);
    }
    expect(world.webhookSender.sent).toEqual([]);
  });

  test('a member manages none, and neither does a token', async () => {
    const member = await givenPerson(world, {
      accountId: ada.accountId,
      email: 'm@acme.example',
      role: 'member',
    });
    const notAllowed = err({ code: 'not_allowed' });
    expect(await create({}, inPerson(member))).toEqual(notAllowed);
    expect(await listWebhooks(world)(inPerson(member), {})).toEqual(notAllowed);
    expect(await create({}, { ...inPerson(ada), scopes: ['*'] })).toEqual(notAllowed);
  });

  test('what is wrong in the input is told for each field', async () => {
    const fieldsOf = async (parts: Partial<WebhookInput>) => {
      const made = await create(parts);
      return made.ok || made.error.code !== 'invalid_input'
        ? made
        : made.error.problems.map(({ field }) => field);
    };
    expect(await fieldsOf({ url: 'http://hooks.example', description: 'a\nb', actions: [] })).toEqual([
      'url',
      'description',
      'actions',
    ]);
    expect(await fieldsOf({ actions: ['token.eaten'] })).toEqual(['actions']);
    expect(await fieldsOf({ url: `https://hooks.example/${'a'.repeat(2000)}` })).toEqual(['url']);
    expect(await fieldsOf({ url: `https://hooks.example/ghs_${'a'.repeat(43)}` })).toEqual(['url']);
    // The normal spelling counts, too: it is longer, or has a secret that was written in two parts.
    expect(await fieldsOf({ url: `https://hooks.example/${'☃'.repeat(300)}` })).toEqual(['url']);
    expect(await fieldsOf({ url: `https://hooks.example/ghs_\t${'a'.repeat(43)}` })).toEqual(['url']);
    const { webhook } = unwrap(await create());
    const wrong = await updateWebhook(world)(inPerson(ada), webhook.id, { url: '', actions: ['x'] });
    expect(wrong).toMatchObject({
      error: { code: 'invalid_input', problems: [{ field: 'url' }, { field: 'actions' }] },
    });
  });

  test('an account has at most ten', async () => {
    for (let count = 0; count < 10; count += 1) unwrap(await create());
    expect(await create()).toEqual(err({ code: 'too_many_webhooks' }));
    expect((await create({}, inPerson(eve))).ok).toBe(true);
  });

  test('none is made while a program of an older edition runs, or without a signing key', async () => {
    world.editions.connectOlder();
    expect(await create()).toMatchObject(err({ code: 'older_edition_serves' }));
    const bare = createPorts();
    expect(await createWebhook(bare)(OPERATOR, { ...INPUT, accountId: null })).toEqual(
      err({ code: 'no_signing_key' }),
    );
  });

  test('a change tells what changed, and not the path of the address', async () => {
    const { webhook } = unwrap(await create());
    const update = (parts: Partial<WebhookInput>) => updateWebhook(world)(inPerson(ada), webhook.id, parts);
    const url = 'https://new.example/secret-path';
    expect(await update({ url })).toMatchObject(
      ok({ already: false, webhook: { url, description: 'Chat' } }),
    );
    expect((await newest())?.details).toEqual({
      name: 'Chat',
      host: 'new.example',
      former_host: 'hooks.example',
      address_changed: true,
    });
    expect(await update({ url, actions: [...(webhook.actions as readonly string[])] })).toMatchObject({
      value: { already: true },
    });
    unwrap(await update({ actions: 'all', includesAddresses: true, description: '' }));
    expect((await newest())?.details).toEqual({
      name: 'new.example',
      host: 'new.example',
      actions: ['all'],
      includes_addresses: true,
    });
  });

  test('it is disabled, enabled and deleted, with an event each', async () => {
    const { webhook } = unwrap(await create());
    const actions: unknown[] = [];
    for (const change of [disableWebhook, enableWebhook, deleteWebhook]) {
      expect(await change(world)(inPerson(ada), webhook.id)).toMatchObject({ ok: true });
      actions.push((await newest())?.action);
    }
    expect(actions).toEqual(['webhook.disabled', 'webhook.enabled', 'webhook.deleted']);
    expect(await showWebhook(world)(inPerson(ada), webhook.id)).toEqual(err({ code: 'webhook_not_found' }));
  });

  test('a rotation shows a new secret; the former one signs for up to 24 hours', async () => {
    const { webhook, secret } = unwrap(await create());
    const rotate = (graceMs: number) =>
      rotateWebhookSecret(world)(inPerson(ada), { id: webhook.id, graceMs });
    for (const wrong of [-1, 86_400_001, Number.NaN])
      expect(await rotate(wrong)).toMatchObject({ error: { code: 'invalid_input' } });
    const rotated = unwrap(await rotate(86_400_000));
    expect(rotated.secret).not.toBe(secret);
    expect(rotated.webhook.formerSecretUntil).toBe(addMilliseconds(START, 86_400_000));
    expect((await newest())?.details).toMatchObject({ former_until: '2026-01-02T00:00:00.000Z' });
    expect(unwrap(await rotate(0)).webhook.formerSecretUntil).toBeNull();
  });

  test('a test is sent at once, also to a disabled one, and recorded', async () => {
    const { webhook } = unwrap(await create());
    unwrap(await disableWebhook(world)(inPerson(ada), webhook.id));
    world.webhookSender.answers({ kind: 'answered', status: 202, retryAfter: '9' });
    expect(await testWebhook(world)(inPerson(ada), webhook.id)).toMatchObject(
      ok({ outcome: { kind: 'answered', status: 202 } }),
    );
    const [sent] = world.webhookSender.sent;
    expect(JSON.parse(sent?.body ?? '').type).toBe('webhook.test');
    const { attempts } = unwrap(await showWebhook(world)(inPerson(ada), webhook.id));
    expect(attempts).toEqual([
      { at: START, position: null, action: 'webhook.test', outcome: { kind: 'answered', status: 202 } },
    ]);
  });

  test('tests do not flood a receiver', async () => {
    const { webhook } = unwrap(await create());
    const send = vi.fn(async () => {
      expect(await testWebhook(world)(inPerson(ada), webhook.id)).toMatchObject(
        err({ code: 'webhook_test_too_soon' }),
      );
      return { kind: 'answered', status: 204 } as const;
    });
    const slow = { ...world, webhookSender: { ...world.webhookSender, send } };
    unwrap(await testWebhook(slow)(inPerson(ada), webhook.id));
    for (let count = 1; count < 6; count += 1) unwrap(await testWebhook(world)(inPerson(ada), webhook.id));
    expect(await testWebhook(world)(OPERATOR, webhook.id)).toEqual(
      err({ code: 'webhook_test_too_soon', retryAfterSeconds: 60 }),
    );
    world.clock.advance(60_000);
    unwrap(await testWebhook(world)(OPERATOR, webhook.id));
  });

  test('the new master key encrypts all secrets, also the former ones', async () => {
    const next = createFakeKeyEncryption('next');
    const { webhook } = unwrap(await create());
    unwrap(await rotateWebhookSecret(world)(inPerson(ada), { id: webhook.id, graceMs: 1000 }));
    const lost = { ...world, encryption: createFakeKeyEncryption('lost') };
    const { webhook: other } = unwrap(await create());
    const { sealedSecret = '' } = (await world.webhooks.findSealed(other.id)) ?? {};
    const to = await lost.encryption.seal(new Uint8Array(32), webhookKeyId(other.id));
    await world.webhooks.reseal([{ id: other.id, from: sealedSecret as typeof to, to }]);
    const masterKeys: MasterKeys = {
      replace: (work) => work({ current: world.encryption, next, complete: async () => undefined }),
    };
    const rewrap = async () => unwrap(await rewrapKeys({ ...world, masterKeys })(OPERATOR)).webhooks;
    expect(await rewrap()).toEqual({ rewrapped: 2, unchanged: 0, unreadable: 1 });
    expect(await rewrap()).toEqual({ rewrapped: 0, unchanged: 2, unreadable: 1 });
    const stored = await world.webhooks.findSealed(webhook.id);
    for (const sealed of [stored?.sealedSecret, stored?.formerSealedSecret])
      expect((await next.open(sealed as typeof to, webhookKeyId(webhook.id))).ok).toBe(true);
  });

  test('a secret that is moved to another webhook does not decrypt', async () => {
    const [one, other] = [unwrap(await create()), unwrap(await create())];
    const sealed = await world.webhooks.findSealed(one.webhook.id);
    const opened = await world.encryption.open(sealed?.sealedSecret as never, webhookKeyId(other.webhook.id));
    expect(opened.ok).toBe(false);
  });

  test('a secret that is stored while the master key is replaced is encrypted again', async () => {
    const next = createFakeKeyEncryption('next');
    const masterKeys: MasterKeys = {
      replace: (work) => work({ current: world.encryption, next, complete: async () => undefined }),
    };
    let turn = 0;
    const following = {
      ...world.encryption,
      open: async (...args: Parameters<typeof next.open>) => {
        const opened = await next.open(...args);
        return opened.ok ? opened : world.encryption.open(...args);
      },
      async seal(...args: Parameters<typeof next.seal>) {
        turn += 1;
        if (turn > 1) return next.seal(...args);
        const sealed = await world.encryption.seal(...args);
        unwrap(await rewrapKeys({ ...world, masterKeys })(OPERATOR));
        return sealed;
      },
    };
    const made = unwrap(await createWebhook({ ...world, encryption: following })(inPerson(ada), INPUT));
    const stored = await world.webhooks.findSealed(made.webhook.id);
    const opened = await next.open(stored?.sealedSecret as never, webhookKeyId(made.webhook.id));
    expect([opened.ok, turn]).toEqual([true, 2]);
    expect((await createKey({ ...world, encryption: next })(OPERATOR, 'jwt')).ok).toBe(true);
  });
});
