import { unwrap } from '@gatehouse/domain/testing';
import type { TokenId } from '@gatehouse/domain/tokens';
import {
  assetEndpoints,
  createVisitor,
  pageEndpoints,
  pathAbout,
  type Subjects,
} from '@gatehouse/pages/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { execute } from '../../testing/execute.ts';
import { issue } from '../../testing/issue.ts';
import { type DemoServer, OPERATOR } from '../../testing/postgres-server.ts';
import { startTestServer } from '../../testing/start-test-server.ts';

/**
 * The limit for a page, with the statements of its session. Once a minute a fifth stores the last request of the
 * session.
 */
const MAX_STATEMENTS = 4;

/**
 * The paths of the table of pages, so that a new page is measured without being named here. The paths of identity
 * providers need a provider: `provider-statements.test.ts` measures these.
 */
const PATHS = Object.entries(pageEndpoints)
  .filter(([path, { GET }]) => GET !== undefined && !(path in assetEndpoints) && !path.includes(':provider'))
  .map(([path]) => path);

let served: DemoServer;
let subjects: Subjects;

beforeAll(async () => {
  served = await startTestServer({ database: 'postgres' });
  const issued = await issue(served);
  const ofMember = `select id from users where email = '${served.demo.member.email}'`;
  const [member] = (await execute(served.database.url, ofMember)) as readonly { readonly id: number }[];
  const madeProgram = `
    with admin as (select id, account_id from users where email = '${served.demo.admin.email}'), program as (
      insert into users (account_id, kind, email, email_key, name, role, created_at)
        select account_id, 'service', 'erp@service.invalid', 'erp@service.invalid', 'ERP', 'member', now() from admin
      returning id, account_id)
    insert into service_users (user_id, account_id, responsible_id, created_by_name)
      select program.id, account_id, admin.id, 'root' from program join admin using (account_id)
    returning user_id as id`;
  const [program] = (await execute(served.database.url, madeProgram)) as readonly { readonly id: number }[];
  const { useCases } = served.container.services;
  const admin = unwrap(await useCases.actAs(served.demo.admin.email, OPERATOR));
  const input = { url: 'https://hooks.example/', description: '', includesAddresses: false } as const;
  const { webhook } = unwrap(await useCases.createWebhook(admin, { ...input, actions: 'all' }));
  subjects = {
    token: issued.record.id,
    user: member?.id ?? 0,
    organization: served.demo.organizations[0]?.id ?? 0,
    serviceAccount: program?.id ?? 0,
    webhook: webhook.id,
  };
  // The stream of a token that was used ends at once.
  const { usage } = served.container.services;
  usage.used(issued.record.id, served.container.services.clock.now(), '10.0.0.5');
  await usage.flush();
  // The first page that shows scopes reads the services, which the server then keeps in memory.
  await served.container.services.cachedServices.list();
});
afterAll(() => served[Symbol.asyncDispose]());

async function signedIn(who: 'admin' | 'member') {
  const visitor = createVisitor(served.url);
  await visitor.signIn(served.demo[who], '/sign-in?next=%2Fsettings%2Fpassword');
  return visitor;
}

test('the table has the pages that are known', () => {
  expect(PATHS).toEqual(expect.arrayContaining(['/', '/settings/api', '/settings/api/:id/rotate']));
});

test.each(PATHS)(
  '%s asks PostgreSQL at most four times, for an admin, a member and a visitor',
  async (path) => {
    for (const [status, visitor] of [
      [200, await signedIn('admin')],
      [undefined, await signedIn('member')],
      [undefined, createVisitor(served.url)],
    ] as const) {
      const before = served.statements();
      const query = path.endsWith('/export') ? '?format=csv' : '';
      const response = await visitor.ask(`${pathAbout(path, subjects)}${query}`);
      expect([200, 303, 204, 403, 404]).toContain(response.status);
      // Without a mail server, no one asks for a link.
      const shown = path === '/forgot-password' ? [404] : [200, 303];
      if (status !== undefined) expect(shown).toContain(response.status);
      expect(served.statements() - before).toBeLessThanOrEqual(MAX_STATEMENTS);
    }
  },
);

test('the page of a token with report-only networks, which breaks the rules, asks at most four times', async () => {
  const { services } = served.container;
  const admin = unwrap(await services.useCases.actAs(served.demo.admin.email, OPERATOR));
  const id = subjects.token as TokenId;
  const networks = { mode: 'report-only', list: ['203.0.113.0/24'] } as const;
  unwrap(await services.useCases.setTokenNetworks(admin, { id, networks }));
  const changes = { person: { mustHaveNetworks: true } };
  const { accountId } = admin;
  unwrap(await services.useCases.setTokenPolicy(OPERATOR, { accountId, changes }));
  services.usage.usedOutside(id, services.clock.now(), '198.51.100.7');
  await services.usage.flush();
  const visitor = await signedIn('admin');
  const before = served.statements();
  const { text } = await visitor.ask(`/settings/api/${id}`);
  expect(served.statements() - before).toBeLessThanOrEqual(MAX_STATEMENTS);
  expect(text).toContain('198.51.100.7');
  expect(text).toContain('Breaks rules');
});

test('once a minute, that the session was used is stored besides', async () => {
  const visitor = await signedIn('admin');
  await execute(
    served.database.url,
    "update sessions set last_seen_at = last_seen_at - interval '2 minutes'",
  );
  const asked = [];
  for (let time = 0; time < 2; time += 1) {
    const before = served.statements();
    expect((await visitor.ask('/settings/api')).status).toBe(200);
    asked.push(served.statements() - before);
  }
  expect(asked).toEqual([MAX_STATEMENTS + 1, MAX_STATEMENTS]);
});
