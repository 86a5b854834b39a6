import { atMost, none, recordFigures, recordSkip } from '@gatehouse/fault-figures';
import { openInstallation } from '@gatehouse/faults/store';
import { createVisitor } from '@gatehouse/faults/visitor';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runAside } from '../clones.ts';
import { commandBlocksOf } from '../documented-commands/command-blocks.ts';
import { editionBefore, hasCommit } from '../editions.ts';
import { startLightLoad } from './light-load.ts';
import { startVersion, type VersionServer } from './server.ts';
import { ADA, blockOfPage, FOUNDRY, openTwoVersions, PAGE, type TwoVersions } from './two-versions.ts';
import { registerExtension } from './versions.ts';

/** The time after which an acknowledged revocation takes effect everywhere, in milliseconds. */
const BOUND_MS = 1000;

const before = editionBefore();
const isHere = hasCommit(before.commit);
if (!isHere)
  recordSkip('U1', `this clone does not have ${before.commit}, the last commit of ${before.version}`);

const [setUp, install, migrate, check] = [
  blockOfPage('Servers 1'),
  blockOfPage('Extensions 1'),
  blockOfPage('Servers 2'),
  blockOfPage('Servers 3'),
];
const embedded = blockOfPage('Embedded database 1');

test('each command of the page is one of an upgrade that is tested', () => {
  expect(
    commandBlocksOf(PAGE)
      .map(({ text }) => text)
      .toSorted(),
  ).toEqual([setUp, install, migrate, check, embedded].toSorted());
});

describe.skipIf(!isHere)(`an installation of ${before.version} that is upgraded as the page says`, () => {
  let scene: TwoVersions;
  let newer: VersionServer;
  beforeAll(async () => {
    scene = await openTwoVersions(before);
  }, 400_000);
  afterAll(async () => {
    await newer?.[Symbol.asyncDispose]();
    await scene?.[Symbol.asyncDispose]();
  });

  test('migrates its tables and those of the extension, and the older server answers each request meanwhile', async () => {
    await scene.now(setUp);
    registerExtension(scene.newer);
    await scene.now(install);
    const sent = scene.load.sent();
    const said = await scene.now(migrate);
    expect(said).toContain('The schema is up to date.');
    expect(scene.load.sent()).toBeGreaterThan(sent);
    expect(scene.load.failures).toEqual([]);
    newer = await scene.startNewer();
  });

  test('has tokens of either version that both servers accept, and sign-ins at both', async () => {
    const created = scene.createToken('New');
    const signedIn = [scene.load.signedIn.at(0), scene.load.signedIn.at(-1)] as string[];
    for (const token of [...scene.tokens, created, ...signedIn]) {
      expect(await statusesOf(token)).toEqual([200, 200]);
    }
    const there = await signIn(newer);
    expect(await statusesOf(there)).toEqual([200, 200]);
  });

  test('has sessions of either version that both servers accept', async () => {
    const { server, visitor } = scene;
    const there = createVisitor({ origin: newer.url, urls: [newer.url] });
    await there.signIn(ADA);
    expect(await pageAt(newer, visitor.cookies)).toContain(ADA.email);
    expect(await pageAt(server, there.cookies)).toContain(ADA.email);
  });

  test('has no token that either server accepts a second after its revocation by the other version', async () => {
    const [, , line, lab] = scene.tokens as [string, string, string, string];
    await scene.now(`./gatehouse token revoke Line --as ${ADA.email} --yes`);
    const older = await untilRefused(scene.server, line);
    const { id } = JSON.parse(await scene.now(`./gatehouse token show Lab --as ${ADA.email} --json`));
    const page = `/settings/api/${id}/revoke`;
    const form = await scene.visitor.form(page, page, { reason: 'lost' });
    expect((await scene.visitor.ask(page, { fields: form })).status).toBe(303);
    const latest = await untilRefused(newer, lab);
    recordFigures('U1', [
      atMost('refused by the older server', older, BOUND_MS, 1),
      atMost('refused by the newer server', latest, BOUND_MS, 1),
    ]);
    expect(Math.max(older, latest)).toBeLessThanOrEqual(BOUND_MS);
  });

  test('gets no restriction that the older server does not obey, until that server has ended', async () => {
    const limit = `./gatehouse token network set Wiki --as ${ADA.email} --network 203.0.113.0/24`;
    await expect(scene.now(limit)).rejects.toThrow('Programs of an older version are connected');
    await scene.load.stop();
    recordFigures('U1', [none('requests that failed', scene.load.failures.length, scene.load.sent())]);
    expect(scene.load.failures).toEqual([]);
    expect(await scene.server.stop()).toBe(0);
    await scene.now(limit);
    await expect.poll(() => statusAt(newer, scene.tokens[1] as string)).toBe(403);
  });

  test('keeps sessions, passwords and what the extension stored', async () => {
    expect(await pageAt(newer, scene.visitor.cookies)).toContain(ADA.email);
    expect(await statusAt(newer, await signIn(newer))).toBe(200);
    const loans = await fetch(`${newer.url}${FOUNDRY}/tool-loans`, headersOf(scene.tokens[0] as string));
    expect(await loans.json()).toMatchObject({ items: [{ text: 'Press 4 leaks' }] });
  });

  test('has no findings of doctor and of audit verify, and no errors in the logs', async () => {
    expect(await scene.now(check)).toMatch(/^Sealed: \d+ events\.$/m);
    expect([...scene.server.complaints, ...newer.complaints]).toEqual([]);
  });

  test('does not start the older version again', async () => {
    await expect(scene.startOlder()).rejects.toThrow('the database was migrated by a newer version');
  });

  test('would show requests that fail, if a migration removed what the older server needs', async () => {
    await using store = openInstallation(scene.settings);
    const load = startLightLoad(newer.url, FOUNDRY, scene.tokens.slice(0, 1), ADA);
    await store.database.queries.schema.alterTable('tokens').renameColumn('scopes', 'rights').execute();
    await expect.poll(() => load.failures.length, { timeout: 10_000 }).toBeGreaterThan(0);
    await load.stop();
  });

  test('with the embedded database, keeps what it had, in a copy of its data folder', async () => {
    const { older, newer: folder } = scene;
    const first = await startVersion(older, {});
    await runAside(older, `${before.command} org create --account 1 --name "Paint shop"`);
    expect(await first.stop()).toBe(0);
    expect(embedded).toContain('npm start');
    await runAside(folder, embedded.replace('npm start\n', ''));
    await using server = await startVersion(folder, {});
    expect(await runAside(folder, './gatehouse org list --account 1')).toContain('Paint shop');
    expect(server.complaints).toEqual([]);
    expect(await server.stop()).toBe(0);
  });

  const statusesOf = (token: string) =>
    Promise.all([scene.server, newer].map((server) => statusAt(server, token)));
});

const headersOf = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });

async function statusAt({ url }: VersionServer, token: string): Promise<number> {
  const response = await fetch(`${url}/api/v1/me.json`, headersOf(token));
  await response.arrayBuffer();
  return response.status;
}

/** Returns after how many milliseconds the last request was sent that accepted the token. */
async function untilRefused(server: VersionServer, token: string): Promise<number> {
  const since = performance.now();
  let accepted = 0;
  for (;;) {
    const sentAt = performance.now() - since;
    if ((await statusAt(server, token)) === 401) return accepted;
    accepted = sentAt;
    if (accepted > 10 * BOUND_MS) throw new Error('the server goes on accepting a revoked token');
  }
}

/** Returns a page for users who are signed in, as a browser with these cookies sees it. */
async function pageAt({ url }: VersionServer, cookies: ReadonlyMap<string, string>): Promise<string> {
  const visitor = createVisitor({ origin: url, urls: [url] });
  for (const [name, value] of cookies) visitor.cookies.set(name, value);
  return (await visitor.ask('/settings/api')).text;
}

async function signIn({ url }: VersionServer): Promise<string> {
  const response = await fetch(`${url}/api/v1/auth.json`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(ADA),
  });
  const { token } = (await response.json()) as { token: string };
  return token;
}
