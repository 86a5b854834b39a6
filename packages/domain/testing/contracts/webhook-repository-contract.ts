import { describe, expect, test } from 'vitest';
import type { AccountId } from '../../src/accounts/index.ts';
import { err, ok } from '../../src/index.ts';
import type { SealedSecret } from '../../src/signing-keys/index.ts';
import { addMilliseconds } from '../../src/time/index.ts';
import type { User } from '../../src/users/index.ts';
import type { Disabling, NewWebhook, Webhook, WebhookId, WhichWebhook } from '../../src/webhooks/index.ts';
import { anEvent, givenAdmin, givenUser, START } from '../fixtures.ts';
import { byMaker } from '../link-fixtures.ts';
import type { OpenRepositories } from '../repositories.ts';
import { aWebhook, givenWebhook, givenWitness } from '../webhook-fixtures.ts';
import { isDeeplyFrozen } from './is-deeply-frozen.ts';
import { newestEvent, openRepositories } from './open-repositories.ts';

const NOT_FOUND = err({ code: 'webhook_not_found' });
const NO_ACCOUNT = 999_999_999 as AccountId;
const REQUESTED: Disabling = { at: START, reason: 'requested' };
const sealed = (text: string) => text as SealedSecret;

export function webhookRepositoryContract(name: string, open: OpenRepositories): void {
  describe(`${name} keeps the contract of WebhookRepository`, () => {
    const store = openRepositories(open);
    const shown = ({ sealedSecret: _, ...webhook }: NewWebhook): Webhook => ({
      ...webhook,
      disabled: null,
      failingSince: null,
      formerSecretUntil: null,
    });
    const event = (action: `webhook.${string}`, accountId: AccountId | null, by?: User) =>
      byMaker(by?.id ?? null, accountId ?? NO_ACCOUNT, { action, accountId });
    const insert = async (webhook: NewWebhook, { limit = 10, by }: { limit?: number; by?: User } = {}) =>
      store().webhooks.insert(
        webhook,
        { limit, witness: await givenWitness(store()) },
        event('webhook.created', webhook.accountId, by),
      );
    const update = (which: WhichWebhook, changes: Partial<Webhook>, by?: User) =>
      store().webhooks.update(which, changes, (before, after) => ({
        ...event('webhook.updated', before.accountId, by),
        details: { from: before.url, to: after.url },
      }));
    const remove = (which: WhichWebhook, by?: User) =>
      store().webhooks.delete(which, ({ accountId }) => event('webhook.deleted', accountId, by));
    const setDisabled = (which: WhichWebhook & { url?: string }, to: Disabling | null, by?: User) =>
      store().webhooks.setDisabled(which, to, ({ accountId }) =>
        event(to ? 'webhook.disabled' : 'webhook.enabled', accountId, by),
      );
    const rotate = async (
      which: WhichWebhook,
      to: string,
      formerUntil: Webhook['createdAt'] | null,
      by?: User,
    ) =>
      store().webhooks.rotateSecret(
        which,
        { sealedSecret: sealed(to), formerUntil, witness: await givenWitness(store()) },
        ({ accountId }) => event('webhook.secret_rotated', accountId, by),
      );
    const aNew = async (parts: Partial<NewWebhook> = {}) =>
      aWebhook({ id: await store().webhooks.nextId(), ...parts });

    test('a stored webhook is found and listed, without its secret', async () => {
      const admin = await givenAdmin(store());
      const webhook = await aNew({
        accountId: admin.accountId,
        actions: ['token.created', 'token.revoked'],
        includesAddresses: true,
        sealedSecret: sealed('hidden'),
      });
      expect(await insert(webhook, { by: admin })).toEqual(ok(shown(webhook)));
      expect(await newestEvent(store())).toEqual(event('webhook.created', admin.accountId, admin));
      const found = await store().webhooks.find({ id: webhook.id });
      expect(found).toEqual(shown(webhook));
      expect(found).toSatisfy(isDeeplyFrozen);
      expect(await store().webhooks.findSealed(webhook.id)).toEqual({
        webhook: shown(webhook),
        sealedSecret: 'hidden',
        formerSealedSecret: null,
      });
      expect(await store().webhooks.findSealed(NO_ACCOUNT as number as WebhookId)).toBeUndefined();
    });

    test('an id is given once, also after its webhook was deleted', async () => {
      const webhook = await givenWebhook(store());
      expect((await remove(webhook)).ok).toBe(true);
      expect(await store().webhooks.nextId()).not.toBe(webhook.id);
    });

    test('the limit counts the webhooks of one account, or of the installation', async () => {
      const [admin, other] = [await givenAdmin(store()), await givenAdmin(store())];
      const { accountId } = admin;
      expect((await insert(await aNew({ accountId }), { limit: 1 })).ok).toBe(true);
      expect(await insert(await aNew({ accountId }), { limit: 1 })).toEqual(
        err({ code: 'too_many_webhooks' }),
      );
      expect((await insert(await aNew({ accountId: other.accountId }), { limit: 1 })).ok).toBe(true);
      const ofInstallation = (await store().webhooks.list({ accountId: null, limit: 1000 })).length;
      expect((await insert(await aNew(), { limit: ofInstallation + 1 })).ok).toBe(true);
      expect(await insert(await aNew(), { limit: ofInstallation + 1 })).toMatchObject({ ok: false });
      expect(await insert(await aNew({ accountId: NO_ACCOUNT }))).toEqual(err({ code: 'account_not_found' }));
    });

    test('no secret is stored after the master key was replaced', async () => {
      const webhook = await givenWebhook(store());
      const witness = { ...(await givenWitness(store())), sealedSecret: sealed('of another master key') };
      const changed = err({ code: 'keys_changed' });
      const before = await newestEvent(store());
      const guard = { limit: 1000, witness };
      expect(await store().webhooks.insert(await aNew(), guard, anEvent())).toEqual(changed);
      const rotation = { sealedSecret: sealed('new'), formerUntil: null, witness };
      expect(await store().webhooks.rotateSecret(webhook, rotation, () => anEvent())).toEqual(changed);
      expect((await store().webhooks.findSealed(webhook.id))?.sealedSecret).toBe('sealed');
      expect((await newestEvent(store()))?.action).toBe(before?.action);
    });

    test('with an account, webhooks of others and of the installation are not found', async () => {
      const [admin, other] = [await givenAdmin(store()), await givenAdmin(store())];
      const of = other.accountId;
      for (const { id } of [
        await givenWebhook(store(), { accountId: admin.accountId }),
        await givenWebhook(store()),
      ]) {
        const which = { id, of };
        expect(await store().webhooks.find(which)).toBeUndefined();
        expect(await update(which, { description: 'Mine' })).toEqual(NOT_FOUND);
        expect(await setDisabled(which, REQUESTED)).toEqual(NOT_FOUND);
        expect(await rotate(which, 'mine', null)).toEqual(NOT_FOUND);
        expect(await store().webhooks.beginTest(which, START)).toEqual(NOT_FOUND);
        expect(await remove(which)).toEqual(NOT_FOUND);
        expect(await store().webhooks.find({ id })).toMatchObject({ description: 'Chat', disabled: null });
      }
    });

    test('an actor who is no longer an admin changes nothing', async () => {
      const admin = await givenAdmin(store());
      const member = await givenUser(store(), admin.accountId, { role: 'member' });
      const { accountId } = admin;
      const webhook = await givenWebhook(store(), { accountId });
      const notAllowed = err({ code: 'not_allowed' });
      expect(await insert(await aNew({ accountId }), { by: member })).toEqual(notAllowed);
      expect(await update(webhook, { description: 'Other' }, member)).toEqual(notAllowed);
      expect(await setDisabled(webhook, REQUESTED, member)).toEqual(notAllowed);
      expect(await rotate(webhook, 'other', null, member)).toEqual(notAllowed);
      expect(await remove(webhook, member)).toEqual(notAllowed);
      expect(await store().webhooks.find(webhook)).toEqual(webhook);
    });

    test('webhooks are listed page by page: of an account, of the installation, or all', async () => {
      const { accountId } = await givenAdmin(store());
      const [first, second] = [
        await givenWebhook(store(), { accountId }),
        await givenWebhook(store(), { accountId }),
      ];
      const global = await givenWebhook(store());
      const list = (of: { accountId?: AccountId | null }) => store().webhooks.list({ ...of, limit: 1000 });
      expect(await list({ accountId })).toEqual([first, second]);
      expect(await store().webhooks.list({ accountId, after: first.id, limit: 1 })).toEqual([second]);
      expect(await list({ accountId: null })).toContainEqual(global);
      expect(await list({ accountId: null })).not.toContainEqual(first);
      const all = await list({});
      expect(all).toEqual(expect.arrayContaining([first, second, global]));
      expect(all).toSatisfy(isDeeplyFrozen);
    });

    test('those that receive events are enabled, and of the accounts or of the installation', async () => {
      const [admin, other] = [await givenAdmin(store()), await givenAdmin(store())];
      const { accountId } = admin;
      const [mine, off] = [
        await givenWebhook(store(), { accountId, actions: ['token.created'] }),
        await givenWebhook(store(), { accountId }),
      ];
      await givenWebhook(store(), { accountId: other.accountId });
      const global = await givenWebhook(store());
      await setDisabled(off, REQUESTED);
      const enabled = await store().webhooks.listEnabled([accountId]);
      const told = ({ id, accountId: of, actions }: Webhook) => ({ id, accountId: of, actions });
      expect(enabled.filter((each) => each.accountId !== null)).toEqual([told(mine)]);
      expect(enabled).toContainEqual(told(global));
      expect((await store().webhooks.listEnabled([])).every((each) => each.accountId === null)).toBe(true);
    });

    test('a change has an event with what was before, and no event if nothing changes', async () => {
      const webhook = await givenWebhook(store());
      const changes = { url: 'https://new.example/', actions: ['token.created'] as const };
      expect(await update(webhook, changes)).toEqual(
        ok({ webhook: { ...webhook, ...changes }, already: false }),
      );
      expect((await newestEvent(store()))?.details).toEqual({ from: webhook.url, to: changes.url });
      const before = (await store().audit.list({ limit: 1 }))[0]?.id;
      expect(await update(webhook, changes)).toMatchObject(ok({ already: true }));
      expect((await store().audit.list({ limit: 1 }))[0]?.id).toBe(before);
      expect(await store().webhooks.find(webhook)).toEqual({ ...webhook, ...changes });
    });

    test('one is disabled and enabled once, and only while it has the address', async () => {
      const webhook = await givenWebhook(store());
      const gone: Disabling = { at: addMilliseconds(START, 5), reason: 'gone' };
      expect(await setDisabled({ id: webhook.id, url: 'https://former.example/' }, gone)).toEqual(NOT_FOUND);
      const disabled = { ...webhook, disabled: gone };
      expect(await setDisabled({ id: webhook.id, url: webhook.url }, gone)).toEqual(
        ok({ webhook: disabled, already: false }),
      );
      expect((await newestEvent(store()))?.action).toBe('webhook.disabled');
      expect(await setDisabled(webhook, REQUESTED)).toEqual(ok({ webhook: disabled, already: true }));
      expect(await store().webhooks.find(webhook)).toEqual(disabled);
      expect(await setDisabled(webhook, null)).toEqual(ok({ webhook, already: false }));
      expect((await newestEvent(store()))?.action).toBe('webhook.enabled');
      expect(await setDisabled(webhook, null)).toEqual(ok({ webhook, already: true }));
    });

    test('the former secret stays until its time, and never more than one', async () => {
      const webhook = await givenWebhook(store(), { sealedSecret: sealed('first') });
      const until = addMilliseconds(START, 1000);
      const secrets = async () => {
        const found = await store().webhooks.findSealed(webhook.id);
        return [found?.sealedSecret, found?.formerSealedSecret, found?.webhook.formerSecretUntil];
      };
      expect(await rotate(webhook, 'second', until)).toEqual(ok({ ...webhook, formerSecretUntil: until }));
      expect((await newestEvent(store()))?.action).toBe('webhook.secret_rotated');
      expect(await secrets()).toEqual(['second', 'first', until]);
      await rotate(webhook, 'third', until);
      expect(await secrets()).toEqual(['third', 'second', until]);
      await rotate(webhook, 'fourth', null);
      expect(await secrets()).toEqual(['fourth', null, null]);
    });

    test('encrypted secrets are listed, and replaced unless they changed meanwhile', async () => {
      const [one, other] = [
        await givenWebhook(store(), { sealedSecret: sealed('one') }),
        await givenWebhook(store(), { sealedSecret: sealed('other') }),
      ];
      await rotate(one, 'two', addMilliseconds(START, 1000));
      const after = { after: (one.id - 1) as WebhookId, limit: 1 };
      expect(await store().webhooks.listSecrets(after)).toEqual([
        { id: one.id, sealedSecrets: ['two', 'one'] },
      ]);
      expect(await store().webhooks.listSecrets({ after: one.id, limit: 1 })).toEqual([
        { id: other.id, sealedSecrets: ['other'] },
      ]);
      await store().webhooks.reseal([
        { id: one.id, from: sealed('two'), to: sealed('TWO') },
        { id: one.id, from: sealed('one'), to: sealed('ONE') },
        { id: other.id, from: sealed('replaced'), to: sealed('OTHER') },
      ]);
      expect(await store().webhooks.findSealed(one.id)).toMatchObject({
        sealedSecret: 'TWO',
        formerSealedSecret: 'ONE',
      });
      expect((await store().webhooks.findSealed(other.id))?.sealedSecret).toBe('other');
      await store().webhooks.reseal([]);
    });
  });
}
