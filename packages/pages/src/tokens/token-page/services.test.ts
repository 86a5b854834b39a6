import { parseServiceName } from '@gatehouse/domain/services';
import { expect, test } from 'vitest';
import { serveServices } from '../../../testing/serve-services.ts';

const MINUTE = 60_000;

test('the page of a token says at which services it was used, the last use first, when and from where', async () => {
  await using scene = await serveServices();
  const token = await scene.issue('Shop', ['orders:read']);
  const path = `/settings/api/${token.id}`;
  expect((await (await scene.signedIn()).get(path)).text).not.toContain('Used at services');
  await scene.usedAt('orders', token, '10.0.0.5');
  scene.world.clock.advance(3 * MINUTE);
  await scene.usedAt('billing', token);
  const page = await (await scene.signedIn()).get(path);
  expect(page.text).toContain(
    'Service Last use From billing just now Not recorded orders 3 minutes ago 10.0.0.5 Each service',
  );
});

test('uses and refusals that a service reports are named as reported by it', async () => {
  await using scene = await serveServices();
  const token = await scene.issue('Shop', ['orders:read']);
  await scene.usedAt('orders', token);
  const orders = parseServiceName('orders') ?? expect.fail();
  const entry = { token: token.id, count: 1, lastAt: scene.world.clock.now() };
  await scene.world.usageReports.store(orders, { uses: [], refusals: [{ ...entry, reason: 'expired' }] });
  scene.world.clock.advance(3 * MINUTE);
  const lastAt = scene.world.clock.now();
  await scene.world.usageReports.store(orders, {
    uses: [{ ...entry, lastAt, from: '10.0.0.7' }],
    refusals: [],
  });
  const { text } = await (await scene.signedIn()).get(`/settings/api/${token.id}`);
  expect(text).toContain('orders just now (reported by orders) 10.0.0.7');
  expect(text).toContain(', because the token had expired (reported by orders).');
  expect(text).toContain(' : the token had expired (reported by orders).');
});

test('a use at a service counts as a use of the token', async () => {
  await using scene = await serveServices();
  const token = await scene.issue('Shop', ['orders:read']);
  await scene.usedAt('orders', token, '10.0.0.5');
  const { text } = await (await scene.signedIn()).get(`/settings/api/${token.id}`);
  expect(text).toMatch(/This token was used just now/);
});
