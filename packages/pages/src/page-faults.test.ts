import { UnavailableFault } from '@gatehouse/domain';
import { apiToken } from '@gatehouse/domain/testing';
import { describe, expect, test, vi } from 'vitest';
import { PAGE_FORMS, send, tokensOf } from '../testing/page-forms.ts';
import { pagesAbout } from '../testing/page-paths.ts';
import { servePages } from '../testing/serve-pages.ts';

type Scene = Awaited<ReturnType<typeof servePages>>;

/** The fault of each call of a store, and the page that it leads to. */
const FAULTS = [
  [
    'with the database away',
    () => new UnavailableFault('secret details'),
    [503, '1', 'Gatehouse cannot reach its database'],
  ],
  [
    'by a defect',
    () => new Error('secret details'),
    [500, null, 'The server could not complete your request'],
  ],
] as const;

/** Makes every call of these stores fail. */
function fail(stores: readonly object[], fault: () => Error): void {
  for (const store of stores as Record<string, () => unknown>[]) {
    for (const [method, value] of Object.entries(store)) {
      if (typeof value === 'function')
        vi.spyOn(store, method).mockImplementation(() => Promise.reject(fault()));
    }
  }
}

const storesOf = ({ world }: Scene) => [world.tokens, world.audit, world.users, world.accounts, world.usage];

const told = (html: string) => /<h1>([^<]*)/.exec(html)?.[1];

describe('what goes wrong', () => {
  test('with the database away is a page that says so, and when to come back', async () => {
    const away = async () => {
      throw new UnavailableFault('the database is away');
    };
    await using scene = await servePages({ useCases: { findSession: away } });
    const visitor = scene.visitor();
    visitor.cookies.set('gatehouse', 'x'.repeat(43));
    const { status, headers, text } = await visitor.ask('/settings/password');
    expect([status, headers.get('retry-after')]).toEqual([503, '1']);
    expect(text).toContain('<h1>Gatehouse cannot reach its database</h1>');
    expect(text).toContain(headers.get('x-request-id'));
    expect(scene.entries()).toMatchObject([
      {
        level: 'warn',
        msg: 'a request cannot be answered now, for the reason in `err`',
        route: '/settings/password',
        request_id: headers.get('x-request-id'),
      },
    ]);
    expect((await visitor.ask('/')).status).toBe(200);
  });

  test('by a defect is a page that tells nothing of it, and a line in the log under its id', async () => {
    const fail = async () => {
      throw new Error('secret details');
    };
    await using scene = await servePages({ useCases: { changeOwnPassword: fail } });
    const page = await (await (await scene.signedIn()).get('/settings/password')).submit('Change password');
    expect([page.status, page.heading]).toEqual([500, 'The server could not complete your request']);
    expect(page.html).not.toContain('secret details');
    const id = page.headers.get('x-request-id');
    expect(page.text).toContain(`Request ${id}`);
    expect(scene.entries().at(-1)).toMatchObject({
      level: 'error',
      msg: expect.stringMatching(/^a request failed /),
      request_id: id,
    });
  });

  describe.each(FAULTS)('%s', (_, fault, [status, retryAfter, title]) => {
    /** The pages that answer so. */
    async function failing(scene: Scene, stores: readonly object[]) {
      const { record: token } = await apiToken(scene.world, scene.people.admin);
      const visitor = await scene.signedIn();
      fail(stores, fault);
      const found: string[] = [];
      for (const path of pagesAbout(token.id)) {
        const response = await visitor.ask(path);
        if (response.status < 500) continue;
        found.push(path.replace(token.id, '{id}'));
        expect([response.status, response.headers.get('retry-after'), told(response.text)]).toEqual([
          status,
          retryAfter,
          title,
        ]);
        expect(response.text).toContain(response.headers.get('x-request-id'));
        expect(response.text).not.toContain('secret details');
        expect(visitor.cookies.has('gatehouse')).toBe(true);
      }
      return found;
    }

    test('no page for users answers, and none of them signs out', async () => {
      await using scene = await servePages();
      const paths = pagesAbout('{id}').filter((path) => path.startsWith('/settings/'));
      expect(await failing(scene, [scene.world.sessions])).toEqual(expect.arrayContaining(paths));
    });

    test('after the session was found, the pages of tokens and events do not answer', async () => {
      await using scene = await servePages();
      expect(await failing(scene, storesOf(scene))).toEqual([
        '/settings/account',
        '/settings/account/rules',
        '/settings/api',
        '/settings/api/activity',
        '/settings/service-accounts/new',
        '/settings/users',
        '/settings/users/invitations',
        '/settings/users/1/reset-link',
        '/settings/webhooks',
        '/settings/api/{id}',
        '/settings/api/{id}/first-use',
        '/settings/api/{id}/give',
        '/settings/api/{id}/networks',
        '/settings/api/{id}/revoke',
        '/settings/api/{id}/rotate',
      ]);
    });

    test.each(Object.entries(PAGE_FORMS).filter(([name]) => name.includes('token')))(
      '%s changes nothing',
      async (_name, fill) => {
        await using scene = await servePages();
        const sent = await fill(scene);
        const before = await tokensOf(scene);
        fail(storesOf(scene), fault);
        const response = await send(sent);
        expect([response.status, told(response.text)]).toEqual([status, title]);
        expect(response.text).not.toContain('data-token');
        vi.restoreAllMocks();
        expect(await tokensOf(scene)).toEqual(before);
        expect((await send(sent)).status).toBe(sent.done);
      },
    );
  });
});
