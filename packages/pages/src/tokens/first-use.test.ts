import { apiToken, aTokenId, givenPerson } from '@gatehouse/domain/testing';
import { expect, test, vi } from 'vitest';
import { serveFirstUse } from '../../testing/serve-first-use.ts';

const END = 'event: end\ndata:\n\n';

test('tells of the first use, and ends', async () => {
  await using scene = await serveFirstUse();
  const stream = await scene.open();
  expect([stream.status, stream.headers.get('content-type'), stream.headers.get('cache-control')]).toEqual([
    200,
    'text/event-stream; charset=utf-8',
    'no-store',
  ]);
  const body = stream.text();
  await scene.pass(4);
  // The token was accepted, and not allowed what it asked for.
  scene.world.usage.used(scene.token.id, scene.world.clock.now(), '10.0.0.7');
  scene.world.usage.refused(scene.token.id, scene.world.clock.now(), 'insufficient_scope', '10.0.0.7');
  await scene.world.usage.flush();
  await scene.pass(8);
  scene.world.clock.advance(1000);
  scene.world.usage.used(scene.token.id, scene.world.clock.now(), '10.0.0.5');
  await scene.world.usage.flush();
  await scene.pass(4);
  const refused =
    'Refused from 10.0.0.7: the token lacks the required scope. Still waiting for the first use of the token …';
  expect(await body).toBe(
    `retry: 3000\n\nevent: use\ndata: ${JSON.stringify({ state: 'refused', text: refused })}\n\nevent: use\ndata: ${JSON.stringify({ state: 'used', text: 'Used just now from 10.0.0.5.' })}\n\n${END}`,
  );
});

test('comments every 5 seconds and ends after 10 minutes, without extending its session', async () => {
  await using scene = await serveFirstUse();
  const touch = vi.spyOn(scene.world.sessions, 'touch');
  const body = (await scene.open()).text();
  scene.world.clock.advance(20 * 60_000);
  await scene.pass(2400);
  expect(await body).toBe(`retry: 3000\n\n${': waiting\n\n'.repeat(119)}${END}`);
  expect(touch).not.toHaveBeenCalled();
});

test('ends within 5 seconds of its session, and does not begin without one', async () => {
  await using scene = await serveFirstUse();
  const body = (await scene.open()).text();
  await scene.pass(3);
  scene.world.clock.advance(31 * 60_000);
  await scene.pass(17);
  expect(await body).toBe(`retry: 3000\n\n${END}`);
  expect((await scene.open()).status).toBe(204);
});

test('ends at once when the server drains, so that the browser connects to another', async () => {
  await using scene = await serveFirstUse();
  const body = (await scene.open()).text();
  scene.lifecycle.isDraining = true;
  await scene.pass(1);
  expect(await body).toBe('retry: 3000\n\n');
});

test('another account’s token, an unknown one and a malformed id have none', async () => {
  await using scene = await serveFirstUse();
  const eve = await givenPerson(scene.world, {
    accountId: scene.people.foreign.accountId,
    email: 'eve@globex.example',
  });
  const { record: foreign } = await apiToken(scene.world, eve);
  for (const id of [foreign.id, aTokenId(), 'x']) {
    expect((await scene.visitor.ask(`/settings/api/${id}/first-use`)).status).toBe(404);
  }
});
