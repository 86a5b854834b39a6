import { once } from 'node:events';
import { apiToken, givenPerson, PASSWORD } from '@gatehouse/domain/testing';
import { openRaw } from '@gatehouse/front/testing';
import { expect, test } from 'vitest';
import { cookieOf, serveFirstUse } from '../../../testing/serve-first-use.ts';
import { createVisitor } from '../../../testing/visitor.ts';

type Scene = Awaited<ReturnType<typeof serveFirstUse>>;

const times = <T>(count: number, make: () => T) => Array.from({ length: count }, make);

/** The status of one stream more; it does not stay. */
const oneMore = async ({ visitor, path }: Scene, watching = visitor) =>
  (await watching.ask(path, { method: 'HEAD' })).status;

/** Asks until the server has noticed; no stream takes a step meanwhile. */
async function soon(scene: Scene, status: number) {
  for (let turn = 0; turn < 200; turn += 1) if ((await oneMore(scene)) === status) return status;
  return await oneMore(scene);
}

/** Opens as many streams as so many other users may, five each. */
async function openOthers(scene: Scene, users: number) {
  let serial = 0;
  const visitors = await Promise.all(times(users, () => scene.admin(`admin-${serial++}@acme.example`)));
  return await Promise.all(visitors.flatMap((visitor) => times(5, () => scene.open(visitor))));
}

/** Asks for a stream on a connection that stays open. */
async function openConnection({ url, path, visitor }: Scene) {
  const connection = await openRaw(url);
  const answered = once(connection.socket, 'data');
  connection.write(
    `GET ${path} HTTP/1.1\r\nHost: ${new URL(url).host}\r\nCookie: ${cookieOf(visitor)}\r\n\r\n`,
  );
  return { connection, head: String(await answered).split('\r\n')[0] };
}

test('a user has five at once, in however many sessions, and another user has others', async () => {
  await using scene = await serveFirstUse();
  const streams = await Promise.all(times(5, () => scene.open()));
  expect(streams.map(({ status }) => status)).toEqual(times(5, () => 200));
  expect([await oneMore(scene), (await scene.visitor.ask(scene.path)).status]).toEqual([503, 503]);
  expect(await oneMore(scene, await scene.signedIn())).toBe(503);
  expect(await oneMore(scene, await scene.admin('cy@acme.example'))).toBe(200);
});

test('fifty at once are served, and one more is refused', async () => {
  await using scene = await serveFirstUse();
  const streams = await openOthers(scene, 10);
  expect(streams.map(({ status }) => status)).toEqual(times(50, () => 200));
  expect([await oneMore(scene), (await scene.visitor.ask(scene.path)).status]).toEqual([503, 503]);
  scene.abort();
  expect(await soon(scene, 200)).toBe(200);
});

test('one that is refused takes no room from others', async () => {
  await using scene = await serveFirstUse();
  await Promise.all(times(5, () => scene.open()));
  using open = new DisposableStack();
  for (const { connection, head } of await Promise.all(times(6, () => openConnection(scene)))) {
    open.use(connection);
    expect(head).toBe('HTTP/1.1 503 Service Unavailable');
  }
  expect((await openOthers(scene, 9)).map(({ status }) => status)).toEqual(times(45, () => 200));
});

test('one that ended makes room', async () => {
  await using scene = await serveFirstUse();
  const streams = await Promise.all(times(5, () => scene.open()));
  scene.world.usage.used(scene.token.id, scene.world.clock.now(), '10.0.0.5');
  await scene.world.usage.flush();
  await scene.pass(4);
  await Promise.all(streams.map((stream) => stream.text()));
  expect(await soon(scene, 200)).toBe(200);
});

test.each(['destroy', 'end', 'resetAndDestroy'] as const)(
  'a client that is gone by %s makes room at once, before its stream takes a step',
  async (leave) => {
    await using scene = await serveFirstUse();
    await Promise.all(times(4, () => scene.open()));
    const { connection, head } = await openConnection(scene);
    using _open = connection;
    expect(head).toBe('HTTP/1.1 200 OK');
    expect(await oneMore(scene)).toBe(503);
    connection.socket[leave]();
    expect(await soon(scene, 200)).toBe(200);
    const fifth = await scene.open();
    expect([fifth.status, await oneMore(scene)]).toEqual([200, 503]);
    // Its stream has ended.
    await scene.pass(3);
    await oneMore(scene);
    expect(scene.waits()).toBe(5);
  },
);

test('another account, a member, another’s or a malformed id, and no session are refused, and take no room', async () => {
  await using scene = await serveFirstUse();
  const { world, people, path } = scene;
  const { accountId } = people.foreign;
  const eve = await givenPerson(world, { accountId, email: 'eve@globex.example' });
  const { record: foreign } = await apiToken(world, eve);
  const [byEve, byMember] = await Promise.all(
    [eve, people.member].map(({ email }) => scene.signedIn({ email, password: PASSWORD })),
  );
  if (!byEve || !byMember) return expect.fail();
  const refused = [
    [byEve, path, 404],
    [byMember, path, 404],
    [scene.visitor, `/settings/api/${foreign.id}/first-use`, 404],
    [scene.visitor, '/settings/api/x/first-use', 404],
    [createVisitor(scene.url), path, 204],
  ] as const;
  for (const [visitor, asked, status] of refused) {
    for (const response of await Promise.all(times(6, () => visitor.ask(asked)))) {
      expect([asked, response.status, response.text.includes('retry:')]).toEqual([asked, status, false]);
    }
  }
  expect((await openOthers(scene, 10)).every(({ status }) => status === 200)).toBe(true);
});
