import { none, recordFigures } from '@gatehouse/fault-figures';
import { expect, test } from 'vitest';
import { adminOf } from '../stage/admin.ts';
import { statusOf } from '../stage/ask.ts';
import { OPERATOR, openInstallation, unwrap } from '../stage/store.ts';
import { until } from '../stage/until.ts';
import { ADMINS, begin, LOG_OUT_PATH, movedTo, openProviderSite, STAFF } from './site.ts';

const PROFILE = '/settings/profile';
const SESSION = '__Host-gatehouse';
/** On a busy machine, the polling itself takes time. */
const SOON_MS = 1000;

test('a server that is killed while a person is at the provider loses nothing: another completes the sign-in, once', {
  timeout: 120_000,
}, async () => {
  await using site = await openProviderSite();
  const [first, second] = site.nodes;
  const before = site.visitorOf(first.url);
  const back = await site.atProvider(await begin(before), 'ada', [ADMINS]);
  await first[Symbol.asyncDispose]();

  const visitor = movedTo(site.visitorOf(second.url), before);
  const [done, again] = [await visitor.ask(back), await visitor.ask(back)];
  const isSignedIn = (await visitor.ask(PROFILE)).status === 200;
  recordFigures('I1', [
    none('sign-ins that were lost with a killed server', isSignedIn ? 0 : 1),
    none('sign-ins that were completed twice', again.status === 200 ? 1 : 0),
  ]);
  expect([done.status, done.headers.refresh]).toEqual([200, `0; url=${PROFILE}`]);
  expect([isSignedIn, again.status]).toEqual([true, 400]);
});

test('another browser completes nothing, at whichever server', { timeout: 120_000 }, async () => {
  await using site = await openProviderSite();
  const [first, second] = site.nodes;
  const visitor = site.visitorOf(first.url);
  const back = await site.atProvider(await begin(visitor), 'ada', [ADMINS]);
  const attacker = site.visitorOf(second.url);
  const stolen = await attacker.ask(back);
  expect([stolen.status, attacker.cookies.has(SESSION)]).toEqual([400, false]);
});

test('a person whom the provider demotes at one server acts with fewer rights at the other within a second', {
  timeout: 120_000,
}, async () => {
  await using site = await openProviderSite();
  const [first, second] = site.nodes;
  await using store = openInstallation(site.database.settings);
  const grace = {
    accountId: unwrap(await store.actAs(site.database.email, OPERATOR)).accountId,
    email: 'grace@acme.example',
    name: 'Grace',
    role: 'admin',
    password: 'a heavy press, twice',
  } as const;
  unwrap(await store.createUser(OPERATOR, grace));
  const { secret } = await (await adminOf(store, grace.email)).issue();
  const url = `${second.url}${site.database.path}`;
  expect(await statusOf(url, secret)).toBe(200);

  const visitor = site.visitorOf(first.url);
  const signedIn = await visitor.ask(await site.atProvider(await begin(visitor), 'grace', [ADMINS]));
  expect(signedIn.status).toBe(200);
  expect(await statusOf(url, secret)).toBe(200);
  const again = site.visitorOf(first.url);
  const back = await site.atProvider(await begin(again), 'grace', [STAFF]);
  expect((await again.ask(back)).status).toBe(200);
  const narrowedMs = await until(
    'the token has the rights of a member',
    async () => (await statusOf(url, secret)) === 403,
  );
  recordFigures('I1', [
    { name: 'until a demotion holds at another server', measured: `${Math.round(narrowedMs)} ms` },
  ]);
  expect(narrowedMs).toBeLessThanOrEqual(SOON_MS);
});

test('a session that the provider ends at one server is refused by the other', {
  timeout: 120_000,
}, async () => {
  await using site = await openProviderSite();
  const [first, second] = site.nodes;
  const visitor = site.visitorOf(first.url);
  await visitor.ask(await site.atProvider(await begin(visitor), 'ada', [ADMINS]));
  expect((await visitor.ask(PROFILE)).status).toBe(200);
  const elsewhere = site.visitorOf(second.url);
  const fields = new URLSearchParams({ logout_token: await site.logOutToken('ada') });
  const ended = await elsewhere.ask(LOG_OUT_PATH, { fields });
  expect([ended.status, ended.text]).toEqual([200, '']);
  expect((await visitor.ask(PROFILE)).status).toBe(303);
});
