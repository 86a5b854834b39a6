import { apiToken, GOOD, givenServiceAccount, givenWebhook } from '@gatehouse/domain/testing';
import { defineRoute, type HandledRoute } from '@gatehouse/extension-kit/http';
import { PAGE_FORMS, pageEndpoints, pathAbout, type Subjects, send } from '@gatehouse/pages/testing';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { type Call, call, FORM, problemOf, SIGN_IN_PATH, signInWith } from '../../testing/client.ts';
import { factsOf } from '../../testing/example-facts.ts';
import { type Example, exampleOf, routesOf, targetOf } from '../../testing/examples.ts';
import type { MemoryServer } from '../../testing/memory-server.ts';
import { startTestServer } from '../../testing/start-test-server.ts';

type Scene = MemoryServer;

/** Header fields that browsers add to a request for a page of another site. */
const CROSS_SITE: readonly Readonly<Record<string, string>>[] = [
  { origin: 'https://evil.example' },
  { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
  { origin: 'null' },
  { origin: '' },
  { origin: 'http://127.0.0.1:1', 'sec-fetch-site': 'same-site' },
  { 'sec-fetch-site': 'cross-site' },
];
const METHODS = ['POST', 'PUT', 'PATCH', 'DELETE'];

afterEach(() => vi.restoreAllMocks());

/** The paths of all pages and the methods that each has, from the table that the server serves. */
function pagesOf(subjects: Subjects) {
  return Object.entries(pageEndpoints).map(([path, endpoint]) => ({
    path: pathAbout(path, subjects),
    methods: Object.keys(endpoint),
  }));
}

const subjectsOf = async ({ people, world }: Scene, token: string): Promise<Subjects> => ({
  token,
  user: people.member.id,
  organization: people.shared.id,
  serviceAccount: (await givenServiceAccount(world, people.admin)).user.id,
  webhook: (await givenWebhook(world, { accountId: people.account.id })).id,
});

/** Every route of the API and of the extensions, with a request that succeeds. */
async function routesWithExamples(scene: Scene) {
  const facts = await factsOf(scene);
  return routesOf(facts).map((route) => {
    const example: Example = exampleOf(facts, route, 'success') ?? expect.fail(route.operationId);
    return { route, example, target: targetOf(route, example) };
  });
}

/** Watches everything that use cases are made of, such as stores, limits, hashers and the clock. */
function watchPorts({ world }: Scene) {
  const functions = Object.entries(world).flatMap(([name, port]) =>
    Object.entries(port).flatMap(([member, value]) =>
      typeof value === 'function' ? [[`${name}.${member}`, port, member] as const] : [],
    ),
  );
  expect(functions.length).toBeGreaterThan(50);
  const spies = functions.map(([name, port, member]) => {
    // The ports have no index signature; each of these members is a function.
    const spied = vi.spyOn(port as unknown as Record<string, () => unknown>, member);
    return [name, spied] as const;
  });
  return {
    called: () => spies.flatMap(([name, { mock }]) => (mock.calls.length > 0 ? [name] : [])),
  };
}

describe('a request that a page of another site makes a browser send', () => {
  test('is refused by each route with effects, and nothing is called, counted or logged', async () => {
    const counted = vi.fn();
    await using scene = await startTestServer({ ports: { signIns: { inc: counted } } });
    const { secret } = await apiToken(scene.world, scene.people.admin);
    const routes = (await routesWithExamples(scene)).filter(({ route }) => route.method !== 'GET');
    expect(routes.map(({ route }) => route.operationId)).toContain('signIn');
    const ports = watchPorts(scene);
    const lines = scene.lines.length;
    for (const { route, example, target } of routes) {
      for (const headers of CROSS_SITE) {
        for (const type of ['application/json', FORM, 'text/plain', undefined]) {
          const response = await call(scene.url, target, {
            method: route.method,
            token: secret,
            headers: { ...headers, ...(type !== undefined && { 'content-type': type }) },
            body: JSON.stringify(example.body ?? {}),
          });
          expect([route.operationId, headers, ...problemOf(response)]).toEqual([
            route.operationId,
            headers,
            400,
            'cross-site-request',
          ]);
          expect(response.headers.has('set-cookie')).toBe(false);
        }
      }
    }
    expect(ports.called()).toEqual([]);
    expect(counted).not.toHaveBeenCalled();
    expect(scene.lines.slice(lines)).toEqual([]);
  });

  test('is refused by each page with a form, and nothing is called', async () => {
    await using scene = await startTestServer();
    const { record } = await apiToken(scene.world, scene.people.admin);
    const visitor = await scene.signedIn();
    const pages = pagesOf(await subjectsOf(scene, record.id)).filter(({ methods }) =>
      methods.includes('POST'),
    );
    expect(pages.map(({ path }) => path)).toEqual(
      expect.arrayContaining(['/sign-in', '/sign-out', '/settings/api/new', '/settings/password']),
    );
    const ports = watchPorts(scene);
    for (const { path } of pages) {
      for (const headers of CROSS_SITE) {
        const response = await visitor.ask(path, {
          method: 'POST',
          headers: { ...headers, 'content-type': FORM },
          body: 'email=ada%40acme.example&password=x',
        });
        expect([path, headers, response.status]).toEqual([path, headers, 400]);
        expect(response.text).toContain('<h1>This form came from another site</h1>');
        expect(response.headers.has('set-cookie')).toBe(false);
      }
    }
    expect(ports.called()).toEqual([]);
  });

  test.each(Object.entries(PAGE_FORMS))('is refused, though the form is ours: %s', async (_, fill) => {
    await using scene = await startTestServer();
    for (const forged of CROSS_SITE) {
      const sent = await fill(scene);
      delete sent.headers.origin;
      expect((await send({ ...sent, headers: { ...sent.headers, ...forged } })).status).toBe(400);
    }
  });

  test('is refused by public routes of extensions, by each method, before they are asked', async () => {
    const handle = vi.fn(() => ({ ok: true, value: undefined }) as const);
    const routes = METHODS.map(
      (method): HandledRoute => ({
        route: defineRoute({
          operationId: `${method.toLowerCase()}Bell`,
          method: method as 'POST',
          path: '/api/v1/bells',
          tag: 'Bells',
          summary: 'Ring',
          public: true,
          success: { status: 204, description: 'Rung.', cacheControl: 'no-store' },
        }),
        handle,
        toBody: () => undefined as never,
      }),
    );
    const extension = {
      routes,
      deadline: () => new Promise<never>(() => undefined),
      onBehalfOf: <T>(_: unknown, work: () => T) => work(),
    };
    await using scene = await startTestServer({ ports: { extensions: [extension] } });
    for (const method of METHODS) {
      for (const headers of CROSS_SITE) {
        const response = await call(scene.url, '/api/v1/bells', { method, headers });
        expect([method, headers, ...problemOf(response)]).toEqual([
          method,
          headers,
          400,
          'cross-site-request',
        ]);
      }
      expect(handle).not.toHaveBeenCalled();
      expect((await call(scene.url, '/api/v1/bells', { method })).status).toBe(204);
      handle.mockClear();
    }
  });

  test('uses up no attempt to sign in: the right password is accepted afterwards', async () => {
    await using scene = await startTestServer();
    const body = `${new URLSearchParams({ email: GOOD.email, password: 'wrong' })}`;
    for (let attempt = 0; attempt < 150; attempt += 1) {
      const headers = { origin: 'https://evil.example', 'content-type': FORM };
      const response = await call(scene.url, SIGN_IN_PATH, { method: 'POST', headers, body });
      expect(response.status).toBe(400);
    }
    expect((await signInWith(scene.url, GOOD)).status).toBe(200);
    expect(scene.entries()).toMatchObject([{ outcome: 'accepted' }]);
  });
});

test('a page of a named origin, a page of ours and a program sign in as before', async () => {
  await using scene = await startTestServer({ ports: { corsOrigins: ['https://app.example'] } });
  for (const headers of [
    { origin: 'https://app.example', 'sec-fetch-site': 'cross-site' },
    { origin: scene.url },
    { origin: scene.url, 'sec-fetch-site': 'same-origin' },
    { 'sec-fetch-site': 'none' },
    {},
  ] as Call['headers'][]) {
    expect((await signInWith(scene.url, GOOD, headers ? { headers } : {})).status).toBe(200);
  }
});

describe('a GET that another site causes', () => {
  const LINK = {
    'sec-fetch-site': 'cross-site',
    'sec-fetch-mode': 'navigate',
    'sec-fetch-dest': 'document',
  };

  test('of a route is answered as any other', async () => {
    await using scene = await startTestServer();
    const { secret: token } = await apiToken(scene.world, scene.people.admin);
    for (const { route, target } of await routesWithExamples(scene)) {
      if (route.method !== 'GET') continue;
      const plain = await call(scene.url, target, { token });
      for (const headers of CROSS_SITE) {
        const { status, text } = await call(scene.url, target, { token, headers });
        expect([target, status, text]).toEqual([target, plain.status, plain.text]);
      }
    }
  });

  test('of a page shows it, extends no session, and uses up nothing that waits for the next page', async () => {
    await using scene = await startTestServer();
    const { record } = await apiToken(scene.world, scene.people.admin);
    const visitor = await scene.signedIn();
    const waiting = { 'gatehouse-notice': 'signed_out', 'gatehouse-draft': 'typed.mac' };
    for (const [name, value] of Object.entries(waiting)) visitor.cookies.set(name, value);
    const cookies = [...visitor.cookies];
    const touch = vi.spyOn(scene.world.sessions, 'touch');
    scene.world.clock.advance(5 * 60_000);
    for (const { path } of pagesOf(await subjectsOf(scene, record.id))) {
      if (path.startsWith('/assets/')) continue;
      for (const method of ['GET', 'HEAD']) {
        const response = await visitor.ask(path, { method, headers: LINK });
        // A user who is signed in needs no sign-in, one who is enabled no enabling, and one without a second factor has
        // nothing to remove. There is no identity provider, and no mail server.
        const leadsOn =
          /^\/sign-in(?:\/code)?$/.test(path) || /\/(?:enable|recovery-codes|remove)$/.test(path);
        // There is no mail server either.
        const isAbsent = /^\/(?:sign-in\/(?:with|return)\/|forgot-password$)/.test(path);
        const other = leadsOn ? 303 : isAbsent ? 404 : path.startsWith('/sign-in/log-out/') ? 405 : 200;
        const expected = /\/(?:first-use|export)$/.test(path) ? 400 : other;
        expect([method, path, response.status]).toEqual([method, path, expected]);
        // The pages of links begin a visit.
        expect([...visitor.cookies]).toEqual(expect.arrayContaining(cookies));
      }
    }
    expect(touch).not.toHaveBeenCalled();
    // The next page of ours does.
    await visitor.get('/settings/api');
    expect(touch).toHaveBeenCalledOnce();
    expect([...visitor.cookies.keys()]).toEqual(['gatehouse', 'gatehouse-visit']);
  });

  test('holds no place for the stream of a first use', async () => {
    await using scene = await startTestServer();
    const { record } = await apiToken(scene.world, scene.people.admin);
    const visitor = await scene.signedIn();
    for (const headers of [...CROSS_SITE, LINK, { 'sec-fetch-site': 'same-site' }]) {
      const response = await visitor.ask(`/settings/api/${record.id}/first-use`, { headers });
      expect([headers, response.status]).toEqual([headers, 400]);
    }
  });
});

test('OPTIONS has no effect, and says to no page of another site that it may send more', async () => {
  await using scene = await startTestServer();
  for (const headers of CROSS_SITE) {
    const asked = { ...headers, 'access-control-request-method': 'POST' };
    const response = await call(scene.url, SIGN_IN_PATH, { method: 'OPTIONS', headers: asked });
    expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([204, null]);
  }
});
