import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CLIENT, follow, openRealProvider, PERSON_HEADER } from '@gatehouse/openid/testing';
import { createVisitor } from '@gatehouse/pages/testing';
import { expect, test } from 'vitest';
import { startTestServer } from '../../testing/start-test-server.ts';

const ORIGIN = 'https://gatehouse.example';
const RETURN = '/sign-in/return/acme';

/** The limit for a page, with the statements of its session. */
const MAX_STATEMENTS = 4;

/**
 * The limit for the way back from a provider. One transaction locks the account and the user, reads all facts again,
 * and stores the identity, the confirmation, the session and their events. The browser's former session is read too.
 */
const MAX_STATEMENTS_BACK = 22;

/** A server whose people sign in with a real provider, and the number of statements of a page. */
async function serveProvider() {
  await using started = new AsyncDisposableStack();
  const provider = await openRealProvider(`${ORIGIN}${RETURN}`);
  started.defer(() => provider.close());
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-statements-'));
  started.defer(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, 'secret'), CLIENT.secret, { mode: 0o600 });
  const acme = {
    id: 'acme',
    label: 'Acme',
    issuer: provider.origin,
    clientId: CLIENT.id,
    clientSecretFile: 'secret',
    accounts: [1],
    linkByEmailOf: ['acme.example'],
  };
  const file = join(folder, 'providers.json');
  await writeFile(file, JSON.stringify({ providers: [acme] }), { mode: 0o600 });
  const settings = { PUBLIC_URL: ORIGIN, IDENTITY_PROVIDERS_FILE: file };
  const server = started.use(await startTestServer({ database: 'postgres', settings }));
  const visitor = createVisitor(server.url, ORIGIN);

  async function ask(path: string) {
    const before = server.statements();
    const { status, headers, text } = await visitor.ask(path);
    return { status, headers, text, statements: server.statements() - before };
  }

  /** Signs the admin of the demo in with the provider. Returns what the two pages of it answered. */
  async function signIn() {
    const { email } = server.demo.admin;
    const begun = await ask('/sign-in/with/acme?next=%2Fsettings%2Fprofile');
    provider.people.set('ada', { subject: 'ada', email, isEmailVerified: true, name: 'Ada', groups: [] });
    const location = begun.headers.get('location') ?? '';
    const query = await follow(location, `${ORIGIN}${RETURN}`, { [PERSON_HEADER]: 'ada' });
    const back = new URLSearchParams([...query] as [string, string][]);
    return { begun, completed: await ask(`${RETURN}?${back}`) };
  }
  const kept = started.move();
  return { ask, signIn, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}

test('the way to a provider asks at most four times, and the way back no more than the decision needs', async () => {
  await using scene = await serveProvider();
  for (const { begun, completed } of [await scene.signIn(), await scene.signIn()]) {
    expect([begun.status, completed.status]).toEqual([303, 200]);
    expect(begun.statements).toBeLessThanOrEqual(MAX_STATEMENTS);
    expect(completed.statements).toBeLessThanOrEqual(MAX_STATEMENTS_BACK);
  }
});

test('the pages of a user whom a provider signed in ask at most four times', async () => {
  await using scene = await serveProvider();
  await scene.signIn();
  for (const path of ['/settings/sign-in', '/settings/password', '/settings/profile', '/settings/users/1']) {
    const { status, statements } = await scene.ask(path);
    expect([path, status]).toEqual([path, 200]);
    expect(statements, path).toBeLessThanOrEqual(MAX_STATEMENTS);
  }
});

test('the sign-in page asks nothing, with and without a provider', async () => {
  await using scene = await serveProvider();
  const shown = await scene.ask('/sign-in');
  expect([shown.status, shown.text.includes('Sign in with Acme'), shown.statements]).toEqual([200, true, 0]);
  await using without = await startTestServer({ database: 'postgres' });
  const before = without.statements();
  const plain = await createVisitor(without.url).ask('/sign-in');
  expect([plain.status, without.statements() - before]).toEqual([200, 0]);
});
