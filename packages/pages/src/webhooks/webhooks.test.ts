import type { AuditPosition } from '@gatehouse/domain/audit';
import { givenAdmin, inPerson, unwrap } from '@gatehouse/domain/testing';
import { createWebhook, type Webhook } from '@gatehouse/domain/webhooks';
import { describe, expect, onTestFinished, test } from 'vitest';
import { asMember } from '../../testing/as-member.ts';
import { type PageScene, servePages } from '../../testing/serve-pages.ts';

const PATH = '/settings/webhooks';
const INPUT = {
  url: 'https://hooks.example/private-path',
  description: 'Chat',
  actions: ['token.created'],
  includesAddresses: false,
} as const;

/** A scene with a webhook of the account. */
async function open() {
  const scene = await servePages({
    given: async ({ world, people }: PageScene) => ({
      chat: unwrap(await createWebhook(world)(inPerson(people.admin), INPUT)),
    }),
  });
  onTestFinished(() => scene[Symbol.asyncDispose]());
  const { world, chat } = scene;
  const find = async () => (await world.webhooks.find(chat.webhook)) ?? expect.fail();
  return { ...scene, find, path: `${PATH}/${chat.webhook.id}` };
}

const listOf = async ({ world, people }: PageScene): Promise<readonly Webhook[]> =>
  world.webhooks.list({ accountId: people.account.id, limit: 100 });

describe('webhooks on the pages', () => {
  test('are listed and shown to admins, without their secrets', async () => {
    const scene = await open();
    const list = await (await scene.signedIn()).get(PATH);
    expect([list.status, list.heading]).toEqual([200, 'Webhooks']);
    expect(list.text).toContain('Chat');
    const shown = await list.follow(INPUT.url);
    expect([shown.path, shown.heading]).toEqual([scene.path, 'Chat']);
    expect(shown.text).toContain('token.created');
    expect(shown.text).toContain('Nothing was sent yet.');
    expect(list.text + shown.text).not.toContain('whsec_');
  });

  test('are created with a secret that only this answer shows', async () => {
    const scene = await open();
    const visitor = await scene.signedIn();
    const page = await visitor.get(`${PATH}/new`);
    const wrong = await page.submit('Create webhook', { URL: 'http://hooks.example' });
    expect([wrong.status, wrong.messages.join(' ')]).toEqual([422, expect.stringContaining('https://')]);
    const made = await wrong.submit('Create webhook', { URL: 'https://hooks.example/new' });
    expect([made.status, made.heading]).toEqual([200, 'Webhook created']);
    expect(made.text).toMatch(/whsec_[\w+/]{43}=/);
    expect((await listOf(scene)).map(({ url, actions }) => [url, actions])).toEqual([
      [INPUT.url, INPUT.actions],
      ['https://hooks.example/new', 'all'],
    ]);
  });

  test('are at most ten, and the list says so instead of leading to a form', async () => {
    const scene = await open();
    for (let count = 2; count <= 10; count += 1)
      unwrap(await createWebhook(scene.world)(inPerson(scene.people.admin), INPUT));
    const visitor = await scene.signedIn();
    const list = await visitor.get(PATH);
    expect(list.links.map(({ text }) => text)).not.toContain('New webhook');
    expect(list.text).toContain('Your account has 10, which is the limit.');
    const refused = await (await visitor.get(`${PATH}/new`)).submit('Create webhook', { URL: INPUT.url });
    expect([refused.status, refused.text]).toEqual([409, expect.stringContaining('Delete one first.')]);
  });

  test('send chosen events only', async () => {
    const scene = await open();
    const page = await (await scene.signedIn()).get(`${scene.path}/edit`);
    const saved = await page.submit('Save', {
      'token.created': false,
      'user.created': true,
      'Include email and IP addresses': true,
    });
    expect([saved.path, saved.messages.join(' ')]).toEqual([
      scene.path,
      expect.stringContaining('The webhook was changed.'),
    ]);
    expect(await scene.find()).toMatchObject({ actions: ['user.created'], includesAddresses: true });
    const none = await (await (await scene.signedIn()).get(`${scene.path}/edit`)).submit('Save', {
      'user.created': false,
    });
    expect(none.status).toBe(422);
    await none.submit('Save', { 'All events': true, 'Selected events': false, 'token.created': true });
    expect(await scene.find()).toMatchObject({ actions: 'all' });
  });

  test('show the ten newest attempts, and the others below', async () => {
    const scene = await open();
    const outcome = { kind: 'answered', status: 204 } as const;
    for (let position = 1; position <= 12; position += 1)
      await scene.world.webhooks.recordAttempt(
        scene.chat.webhook.id,
        {
          at: scene.world.clock.now(),
          position: position as AuditPosition,
          action: 'token.created',
          outcome,
        },
        true,
      );
    const { html } = await (await scene.signedIn()).get(scene.path);
    const [newest = '', older = ''] = html.split('<summary>Older attempts');
    expect([newest, older].map((part) => part.split('Status 204').length - 1)).toEqual([10, 2]);
  });

  test('are tested, and the attempt says how it ended and nothing more', async () => {
    const scene = await open();
    const page = await (await scene.signedIn()).get(scene.path);
    scene.world.webhookSender.answers({ kind: 'answered', status: 500, retryAfter: 'inner secrets' });
    const tested = await page.submit('Send a test');
    expect(tested.text).toContain('Status 500');
    expect(tested.text).not.toContain('inner secrets');
    expect(scene.world.webhookSender.sent).toHaveLength(1);
    for (let count = 1; count < 6; count += 1) await page.submit('Send a test');
    const refused = await page.submit('Send a test');
    expect([refused.status, refused.text]).toEqual([429, expect.stringContaining('Try again in 60 seconds')]);
  });

  test('are disabled, enabled and deleted', async () => {
    const scene = await open();
    const visitor = await scene.signedIn();
    const off = await (await visitor.get(scene.path)).submit('Disable');
    expect((await scene.find()).disabled?.reason).toBe('requested');
    await off.submit('Enable');
    expect((await scene.find()).disabled).toBeNull();
    const gone = await (await visitor.get(`${scene.path}/delete`)).submit('Delete webhook');
    expect([gone.path, await listOf(scene)]).toEqual([PATH, []]);
  });

  test('get a new secret, and the former one signs for a while', async () => {
    const scene = await open();
    const page = await (await scene.signedIn()).get(`${scene.path}/secret`);
    const made = await page.submit('Create secret');
    expect(made.text).toMatch(/whsec_[\w+/]{43}=/);
    expect(made.text).not.toContain(scene.chat.secret);
    expect((await scene.find()).formerSecretUntil).toBe(scene.world.clock.now() + 86_400_000);
  });

  test.each(['', '/edit', '/secret', '/delete'])('of another account are not found (%s)', async (page) => {
    const scene = await open();
    const eve = await givenAdmin(scene.world);
    const foreign = unwrap(await createWebhook(scene.world)(inPerson(eve), INPUT)).webhook;
    expect((await (await scene.signedIn()).get(`${PATH}/${foreign.id}${page}`)).status).toBe(404);
  });

  test('are not for members', async () => {
    const scene = await open();
    const visitor = await asMember(scene);
    for (const path of [PATH, `${PATH}/new`, scene.path, `${scene.path}/edit`])
      expect((await visitor.get(path)).status, path).toBe(403);
    expect((await visitor.get('/settings')).text).not.toContain('Webhooks');
  });
});
