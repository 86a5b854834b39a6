import { aTokenId, givenPerson, inPerson, PASSWORD } from '@gatehouse/domain/testing';
import { issueToken } from '@gatehouse/domain/tokens';
import { expect, test, vi } from 'vitest';
import { done } from '../../testing/done.ts';
import { apiToken } from '../../testing/population.ts';
import { serveVisitors } from '../../testing/serve-visitors.ts';

/** Pauses that a test lets pass, one step of all streams after the other. */
function createSteps() {
  const waiting: (() => void)[] = [];
  return {
    pause: () => new Promise<void>((resolve) => waiting.push(resolve)),
    /** Lets so many steps pass, each once a stream waits for it. */
    async pass(count: number) {
      for (let step = 0; step < count; step += 1) {
        for (let turn = 0; waiting.length === 0 && turn < 2000; turn += 1)
          await new Promise((resolve) => setImmediate(resolve));
        for (const resolve of waiting.splice(0)) resolve();
      }
    },
  };
}

async function serveToken() {
  const steps = createSteps();
  const scene = await serveVisitors({ pause: steps.pause });
  const { world, people } = scene;
  const issue = { name: 'ERP', format: 'paseto', scopes: ['*'], expiry: 'never' } as const;
  const { record: token } = done(await issueToken(world)(inPerson(people.admin), issue));
  const visitor = await scene.signedIn();
  const path = `/settings/api/${token.id}/first-use`;
  const aborting = new AbortController();
  return {
    ...scene,
    ...steps,
    token,
    visitor,
    path,
    aborting,
    /** A visitor who is another admin of the account. */
    async admin(email: string) {
      await givenPerson(world, { accountId: people.account.id, email });
      return scene.signedIn({ email, password: PASSWORD });
    },
    open: (asked = path, by = visitor) =>
      fetch(`${scene.url}${asked}`, {
        headers: { cookie: [...by.cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
        signal: aborting.signal,
      }),
  };
}

const END = 'event: end\ndata:\n\n';

test('tells of the first use, and ends', async () => {
  await using scene = await serveToken();
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
  const refused = 'Refused from 10.0.0.7: it lacks the scope. Still waiting for its first use …';
  expect(await body).toBe(
    `retry: 3000\n\nevent: use\ndata: ${JSON.stringify({ state: 'refused', text: refused })}\n\nevent: use\ndata: ${JSON.stringify({ state: 'used', text: 'Used just now from 10.0.0.5.' })}\n\n${END}`,
  );
});

test('comments every 5 seconds and ends after 10 minutes, without extending its session', async () => {
  await using scene = await serveToken();
  const touch = vi.spyOn(scene.world.sessions, 'touch');
  const body = (await scene.open()).text();
  scene.world.clock.advance(20 * 60_000);
  await scene.pass(2400);
  expect(await body).toBe(`retry: 3000\n\n${': waiting\n\n'.repeat(119)}${END}`);
  expect(touch).not.toHaveBeenCalled();
});

test('ends within 5 seconds of its session, and does not begin without one', async () => {
  await using scene = await serveToken();
  const body = (await scene.open()).text();
  await scene.pass(3);
  scene.world.clock.advance(31 * 60_000);
  await scene.pass(17);
  expect(await body).toBe(`retry: 3000\n\n${END}`);
  expect((await scene.open()).status).toBe(204);
});

test('ends at once when the server drains, so that the browser connects to another', async () => {
  await using scene = await serveToken();
  const body = (await scene.open()).text();
  scene.lifecycle.stage = 'draining';
  await scene.pass(1);
  expect(await body).toBe('retry: 3000\n\n');
});

test('fifty at once are served, one more is not, and one whose client is gone makes room', async () => {
  await using scene = await serveToken();
  for (let turn = 0; turn < 10; turn += 1) {
    const by = await scene.admin(`admin-${turn}@acme.example`);
    for (let own = 0; own < 5; own += 1) expect((await scene.open(scene.path, by)).status).toBe(200);
  }
  expect((await scene.visitor.ask(scene.path, { method: 'HEAD' })).status).toBe(503);
  expect((await scene.visitor.ask(scene.path)).status).toBe(503);
  scene.aborting.abort();
  let status = 503;
  for (let turn = 0; status === 503 && turn < 8; turn += 1) {
    // A client that is gone is noticed once something is written to it, and the next time the stream looks.
    await scene.pass(turn < 3 ? 21 : 1);
    ({ status } = await scene.visitor.ask(scene.path, { method: 'HEAD' }));
  }
  expect(status).toBe(200);
});

test('five at once of one user are served, and one more is of another user only', async () => {
  await using scene = await serveToken();
  for (let turn = 0; turn < 5; turn += 1) expect((await scene.open()).status).toBe(200);
  expect((await scene.visitor.ask(scene.path, { method: 'HEAD' })).status).toBe(503);
  expect((await scene.open(scene.path, await scene.admin('eve@acme.example'))).status).toBe(200);
  scene.aborting.abort();
});

test('another account’s token, an unknown one and a malformed id have none', async () => {
  await using scene = await serveToken();
  const eve = await givenPerson(scene.world, {
    accountId: scene.people.foreign.accountId,
    email: 'eve@globex.example',
  });
  const { record: foreign } = await apiToken(scene.world, eve);
  for (const id of [foreign.id, aTokenId(), 'x']) {
    expect((await scene.visitor.ask(`/settings/api/${id}/first-use`)).status).toBe(404);
  }
});
