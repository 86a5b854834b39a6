import { migrateInstallation } from '@gatehouse/installation/migrate';
import { openDatabase } from '@gatehouse/postgres';
import { shiftNotes } from '@gatehouse/shift-notes';
import { expect, it, onTestFinished } from 'vitest';
import { call, problemOf } from '../../testing/client.ts';
import { issue } from '../../testing/issue.ts';
import { startTestServer } from '../../testing/start-test-server.ts';

async function serveShiftNotes() {
  const server = await startTestServer({ database: 'postgres' });
  onTestFinished(() => server[Symbol.asyncDispose]());
  const { database, demo } = server;
  const node = await startTestServer({ database, extensions: [shiftNotes] });
  onTestFinished(() => node[Symbol.asyncDispose]());
  const { secret: token } = await issue(server, { scopes: ['shift-notes:read'] });
  const organization = demo.organizations[0]?.id ?? expect.fail('the demo has no organization');
  const path = `/api/v1/orgs/${organization}/shift-notes`;
  return {
    ask: (at = path) => call(node.url, at, { token }),
    other: (at = path) => call(server.url, at, { token }),
    async migrate() {
      const migrating = openDatabase({ url: database.url, poolSize: 1 });
      const { failed } = await migrateInstallation(migrating, [shiftNotes]).finally(() => migrating.close());
      expect(failed).toEqual([]);
    },
    organization,
  };
}

it('an extension is served once its tables are there, and nothing else waits for them', async () => {
  const { ask, migrate, organization } = await serveShiftNotes();
  expect(problemOf(await ask())).toEqual([503, 'unavailable']);
  expect(problemOf(await ask('/api/v1/me.json'))).toEqual([403, 'insufficient-scope']);
  await migrate();
  expect(await ask()).toMatchObject({ status: 200, json: { items: [], next_cursor: null } });
  expect((await ask(`/api/v1/orgs/${organization + 10_000}/shift-notes`)).status).toBe(404);
});

it('a token with the scope of an extension is accepted where the extension is not, and may do nothing', async () => {
  const { other } = await serveShiftNotes();
  expect((await other()).status).toBe(404);
  expect(problemOf(await other('/api/v1/me.json'))).toEqual([403, 'insufficient-scope']);
});
