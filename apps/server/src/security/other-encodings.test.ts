import { sized } from '@gatehouse/fault-figures';
import { createMasterKey } from '@gatehouse/key-encryption';
import { createVisitor, pagesAbout, type Typed } from '@gatehouse/pages/testing';
import { createTestDatabase } from '@gatehouse/test-database';
import { describe, expect, onTestFinished, test } from 'vitest';
import { call } from '../../testing/client.ts';
import { execute } from '../../testing/execute.ts';
import { migrate } from '../../testing/migrate.ts';
import { OPERATOR } from '../../testing/postgres-server.ts';
import { startTestServer } from '../../testing/start-test-server.ts';
import { createDemo } from '../start/demo-data.ts';

const TEXT = '田中 €';

/** A server with the demo data on a database in another encoding, as an installation of before may have it. */
async function serveIn(encoding: string) {
  const database = await createTestDatabase(undefined, { encoding });
  onTestFinished(database.drop);
  // With a migration that was begun, it is no empty database, which would be refused.
  await execute(
    database.url,
    `create table kysely_migration (name varchar(255) primary key, timestamp varchar(255) not null);
    create table kysely_migration_lock (id varchar(255) primary key, is_locked integer not null default 0)`,
  );
  await migrate(database.url);
  const node = await startTestServer({ database: { url: database.url, masterKey: createMasterKey() } });
  onTestFinished(() => node[Symbol.asyncDispose]());
  const { useCases } = node.container.services;
  await useCases.ensureKeys(OPERATOR);
  const demo = await createDemo(useCases, { operator: OPERATOR, format: 'paseto', baseUrl: '' });
  return { ...node, demo };
}

const CONVERTED = ['LATIN1', 'WIN1251', 'EUC_JP'] as const;

/** `SQL_ASCII` converts nothing. A run without `FAULTS_SIZE=full` tests one of the others, by chance. */
const ENCODINGS = sized<readonly string[]>({
  short: ['SQL_ASCII', ...CONVERTED.filter((_, index) => index === Date.now() % CONVERTED.length)],
  full: ['SQL_ASCII', ...CONVERTED],
});

describe.each(ENCODINGS)('with a database in %s', (encoding) => {
  test('no text of a request is answered with 5xx or leaves a stack in the log', async () => {
    const { url, demo, entries } = await serveIn(encoding);
    const { email, password } = demo.admin;
    const statuses: Record<string, number> = {};
    const note = async (what: string, ask: () => Promise<{ readonly status: number }>) => {
      statuses[what] = (await ask()).status;
      // A busy machine is too slow once, a text that cannot be stored each time.
      if (statuses[what] === 503) statuses[what] = (await ask()).status;
    };

    const json = { 'content-type': 'application/json' };
    const signIn = (fields: object) =>
      call(url, '/api/v1/auth.json', { method: 'POST', headers: json, body: JSON.stringify(fields) });
    await note('email', () => signIn({ email: `${TEXT}@acme.example`, password }));
    await note('email alone', () => signIn({ email: TEXT, password }));
    await note('password', () => signIn({ email, password: TEXT }));
    await note('id', () => call(url, `/api/v1/orgs/${encodeURIComponent(TEXT)}`, { token: demo.token }));
    await note('query', () =>
      call(url, `/api/v1/orgs/1?a=${encodeURIComponent(TEXT)}`, { token: demo.token }),
    );
    await note('token', () =>
      call(url, '/api/v1/orgs/1', { token: `v4.public.${Buffer.from(TEXT).toString('latin1')}` }),
    );

    const visitor = createVisitor(url);
    await note('form', () => visitor.signIn({ email: `${TEXT}@acme.example`, password }));
    await note('sign-in', () => visitor.signIn({ email, password }));
    const path = '/settings/api';
    for (const query of ['search', 'owner', 'scope', 'order', 'after', 'before', 'state', 'expires']) {
      await note(`list by ${query}`, () => visitor.ask(`${path}?${query}=${encodeURIComponent(TEXT)}`));
    }
    for (const page of pagesAbout(encodeURIComponent(TEXT))) await note(page, () => visitor.ask(page));
    const submit = async (page: string, button: string, typed: Typed) =>
      note(button, async () => (await visitor.get(page)).submit(button, typed));
    await submit(`${path}/new`, 'Create token', { Name: TEXT, 'Read the owner of the token me:read': true });
    await (await visitor.get(`${path}/new`)).submit('Create token', {
      Name: 'ERP',
      'Read the owner of the token me:read': true,
    });
    const list = await visitor.get(path);
    const href = list.links.find(({ text }) => text === 'ERP')?.href ?? expect.fail('no token');
    const { pathname } = new URL(href, `${url}/settings/`);
    await submit(pathname, 'Rename', { Name: TEXT });
    await submit(`${pathname}/revoke`, 'Revoke token', { Reason: TEXT });

    expect(Object.entries(statuses).filter(([, status]) => status >= 500)).toEqual([]);
    expect(statuses).toMatchObject({ email: 401, form: 401, 'sign-in': 200 });
    expect(entries().filter(({ level }) => level === 'error')).toEqual([]);
    expect(entries().filter((entry) => JSON.stringify(entry).includes('stack'))).toEqual([]);
  });
});
