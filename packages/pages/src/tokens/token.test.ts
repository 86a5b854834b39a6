import {
  aRevocation,
  givenPerson,
  givenToken,
  inPerson,
  OPERATOR,
  PASSWORD,
  signInToken,
  unwrap,
} from '@gatehouse/domain/testing';
import { issueToken, revokeToken, rotateToken, updateToken } from '@gatehouse/domain/tokens';
import { actAs } from '@gatehouse/domain/users';
import { expect, test, vi } from 'vitest';
import { NAUGHTY_TEXTS } from '../../testing/naughty-texts.ts';
import { servePages } from '../../testing/serve-pages.ts';
import { SHIFT_NOTES } from '../../testing/shift-notes.ts';

const MINUTE = 60_000;
const DAY = 86_400_000;

async function serveErp() {
  const scene = await servePages({ resources: [SHIFT_NOTES] });
  const { world, people } = scene;
  const caller = inPerson(people.admin);
  const issue = { name: 'ERP', format: 'paseto', scopes: ['orgs:read'], expiry: { in: 90 * DAY } } as const;
  const { record: token } = unwrap(await issueToken(world)(caller, issue));
  return {
    ...scene,
    caller,
    token,
    path: `/settings/api/${token.id}`,
    find: async () => (await world.tokens.find(token.id)) ?? expect.fail('no token'),
    async used(from?: string, id = token.id) {
      world.usage.used(id, world.clock.now(), from);
      await world.usage.flush();
    },
  };
}

test('the page of a revoked token has no expiry to come', async () => {
  await using scene = await serveErp();
  const visitor = await scene.signedIn();
  expect((await visitor.get(scene.path)).text).toContain('Expires ');
  unwrap(await revokeToken(scene.world)(scene.caller, { id: scene.token.id, reason: null }));
  const { text } = await visitor.get(scene.path);
  expect(text).toContain('because the token was revoked');
  expect(text).not.toContain('Expires ');
});

/** A day so many days after the world's time, as a date field has it. */
const date = (now: number, days: number) => new Date(now + days * DAY).toISOString().slice(0, 10);

test('a token’s page has its facts, where it is used, what would break, and its history', async () => {
  await using scene = await serveErp();
  await scene.used('10.0.0.5');
  scene.world.usage.refused(scene.token.id, scene.world.clock.now(), 'insufficient_scope', '10.0.0.7');
  scene.world.clock.advance(1);
  await scene.used('10.0.0.9');
  scene.world.clock.advance(3 * MINUTE);
  const page = await (await scene.signedIn()).get(scene.path);
  const { text } = page;
  expect([page.status, page.heading]).toEqual([200, 'ERP']);
  for (const part of [
    'Works Requests with this token are accepted.',
    'Owner You',
    'Scopes orgs:read',
    '10.0.0.5 3 minutes ago 3 minutes ago 1',
    '10.0.0.7 3 minutes ago 3 minutes ago 1 the token lacks the required scope',
    'This token was used 3 minutes ago from 10.0.0.9 and 10.0.0.5',
    'Created you 3 minutes ago test',
  ])
    expect(text).toContain(part);
  const hrefs = page.links.map(({ href }) => href);
  expect(hrefs).toContain(`${scene.path}/rotate`);
  expect(hrefs).toContain(`${scene.path}/revoke`);
});

test('a scope of an extension that was taken away is shown as one that allows nothing', async () => {
  await using scene = await serveErp();
  const { world, people } = scene;
  const scopes = ['gone:read', 'orgs:read', 'shift-notes:read'] as const;
  const { id } = await givenToken(world, people.admin, { name: 'Old', scopes });
  const visitor = await scene.signedIn();
  expect((await visitor.get(`/settings/api/${id}`)).text).toContain(
    'Scopes gone:read (allows nothing) orgs:read Read organizations shift-notes:read Read shift notes ',
  );
  const inRow = 'gone:read (allows nothing) orgs:read shift-notes:read';
  expect((await visitor.get('/settings/api')).text).toContain(inRow);
});

test('it says whether the token works now and, if not, why', async () => {
  await using scene = await serveErp();
  const { world, token, caller } = scene;
  const text = async () => (await (await scene.signedIn()).get(scene.path)).text;
  world.usage.refused(token.id, world.clock.now(), 'insufficient_scope');
  await world.usage.flush();
  expect(await text()).toMatch(
    /Works, but the last request with this token was refused just now.*, because the token lacks the required scope/,
  );
  unwrap(await revokeToken(world)(caller, { id: token.id, reason: 'laptop <b>lost</b>' }));
  const revoked = await text();
  expect(revoked).toMatch(
    /Does not work Requests with this token are refused, because the token was revoked just now/,
  );
  expect(revoked).toContain('Reason: laptop <b>lost</b>');
  expect(revoked).not.toContain('Rotate token');
});

test('what an operator did is told without the operator’s name', async () => {
  await using scene = await serveErp();
  const { world, token, people } = scene;
  const by = { kind: 'operator', name: 'root@host' } as const;
  const subject = { type: 'token', id: token.id } as const;
  const [at, accountId] = [world.clock.now(), people.account.id];
  const event = {
    at,
    actor: by,
    origin: 'the-host',
    action: 'token.revoked',
    subject,
    accountId,
    details: {},
  } as const;
  unwrap(await world.tokens.revoke(token.id, aRevocation({ by }), event));
  const page = await (await scene.signedIn()).get(scene.path);
  expect(page.text).toContain('Revoked an operator');
  for (const hidden of ['root@host', 'the-host']) expect(page.html).not.toContain(hidden);
});

test('what an operator did for the user is not told as done by the user', async () => {
  await using scene = await serveErp();
  const { world, token, people } = scene;
  const acting = unwrap(await actAs(world)(people.admin.email, OPERATOR));
  unwrap(await updateToken(world)(acting, { id: token.id, name: 'ERP 2' }));
  unwrap(await revokeToken(world)(acting, { id: token.id, reason: null }));
  const page = await (await scene.signedIn()).get(scene.path);
  const told = `an operator, for ${people.admin.email}`;
  expect(page.text).toContain(`Revoked ${told}`);
  expect(page.text).toContain(`Changed: the former name is ERP ${told}`);
  const confirmation = await (await scene.signedIn()).get(`${scene.path}/revoke`);
  expect(confirmation.text).toContain(`ERP 2 was revoked by ${told}`);
});

test('a token has a description, which is changed and removed, and its history says so', async () => {
  await using scene = await serveErp();
  const visitor = await scene.signedIn();
  const page = await (await visitor.get(scene.path)).submit('Save description', {
    Description: ' Ask Eve <b> ',
  });
  expect(page.messages).toEqual(['The token was changed.']);
  expect(page.text).toContain('Description Ask Eve <b>');
  expect(page.text).toContain('Changed: the description is Ask Eve <b> you');
  expect(page.formWith('Save description').values.get('description')).toBe('Ask Eve <b>');
  const renamed = await page.submit('Rename', { Name: 'Wiki' });
  expect((await scene.find()).description).toBe('Ask Eve <b>');
  const long = await renamed.submit('Save description', { Description: 'x'.repeat(501) });
  expect([long.status, long.formWith('Save description').values.get('description')?.length]).toEqual([
    422, 501,
  ]);
  const removed = await long.submit('Save description', { Description: '' });
  expect(removed.text).toContain('Changed: the description was removed you');
  expect((await scene.find()).description).toBeNull();
});

test('what one can do with a token stands beside its title, as far as it is possible', async () => {
  await using scene = await serveErp();
  const { world, token, caller } = scene;
  const visitor = await scene.signedIn();
  const titleOf = ({ html }: { readonly html: string }) =>
    /<div class="title">(.*?)<\/div><\/div>/s
      .exec(html)?.[1]
      ?.replace(/<[^>]*>/g, ' ')
      .replace(/\s+/g, ' ')
      .trim();
  expect(titleOf(await visitor.get(scene.path))).toBe('ERP Active Give token Rotate token Revoke token');
  unwrap(await rotateToken(world)(caller, { id: token.id, graceMs: DAY }));
  expect(titleOf(await visitor.get(scene.path))).toBe('ERP Being replaced Revoke token');
  unwrap(await revokeToken(world)(caller, { id: token.id, reason: null }));
  expect(titleOf(await visitor.get(scene.path))).toBe('ERP Revoked');
});

test('a rotation shows both tokens, and which of them is used', async () => {
  await using scene = await serveErp();
  const { world, token, caller } = scene;
  const { record: next } = unwrap(await rotateToken(world)(caller, { id: token.id, graceMs: 7 * DAY }));
  const visitor = await scene.signedIn();
  const paths = [scene.path, `/settings/api/${next.id}`];
  const tell = async (words: string) => {
    for (const path of paths) {
      const page = await visitor.get(path);
      expect(page.text).toContain(words);
      const other = paths.find((each) => each !== path);
      expect(page.links.map(({ href }) => href)).toContain(other);
    }
  };
  await tell('The new token has not been used yet.');
  await scene.used('10.0.0.5', next.id);
  await tell('the old token was not used after the first use of the new one.');
  world.clock.advance(MINUTE);
  await scene.used('10.0.0.6');
  await tell('at least one program still uses the old token.');
  world.clock.advance(8 * DAY);
  const later = await scene.signedIn();
  expect((await later.get(scene.path)).text).toContain('The rotation is complete');
});

test('a rotation whose old token was revoked before the new one was used does not say that it works', async () => {
  await using scene = await serveErp();
  const { world, token, caller } = scene;
  const { record: next } = unwrap(await rotateToken(world)(caller, { id: token.id, graceMs: 7 * DAY }));
  unwrap(await revokeToken(world)(caller, { id: token.id, reason: null }));
  const visitor = await scene.signedIn();
  for (const path of [scene.path, `/settings/api/${next.id}`]) {
    const { text } = await visitor.get(path);
    expect(text).toContain('The old token has ended, and the new one has not been used yet');
    expect(text).not.toContain('works as before');
  }
});

test('a token is renamed, and its end brought forward', async () => {
  await using scene = await serveErp();
  const visitor = await scene.signedIn();
  const renamed = await (await visitor.get(scene.path)).submit('Rename', { Name: ' Wiki ' });
  expect([renamed.heading, renamed.messages]).toEqual(['Wiki', ['The token was changed.']]);
  expect(renamed.text).toContain('Changed: the former name is ERP you');
  const now = scene.world.clock.now();
  const ended = await renamed.submit('Set expiry', { 'Last day': date(now, 1) });
  expect(ended.messages).toEqual(['The token was changed.']);
  expect((await scene.find()).expiresAt).toBe(Date.parse(date(now, 2)));
  expect(ended.text).toContain('Changed: the last day is');
});

test.each([
  ['Rename', { Name: '' }, 'Name must be 1 to 200 characters long.'],
  ['Rename', { Name: 'Taken' }, 'Name is already used by another token of the same owner.'],
  ['Set expiry', { 'Last day': '' }, 'Choose a day.'],
  ['Set expiry', { 'Last day': '2001-01-01' }, 'Last day must be in the future.'],
  ['Set expiry', { 'Last day': '2999-01-01' }, 'Last day must be earlier than the current last day.'],
])('%s with %j is told of at its field', async (button, typed, message) => {
  await using scene = await serveErp();
  const issue = { name: 'Taken', format: 'paseto', scopes: ['*'], expiry: 'never' } as const;
  unwrap(await issueToken(scene.world)(scene.caller, issue));
  const before = await scene.find();
  const page = await (await (await scene.signedIn()).get(scene.path)).submit(button, typed);
  expect([page.status, page.messages]).toEqual([422, [`Check one field. ${message}`, message]]);
  expect(await scene.find()).toEqual(before);
});

test('a form about one change does not make the other', async () => {
  await using scene = await serveErp();
  const visitor = await scene.signedIn();
  const page = await visitor.get(scene.path);
  const sent = page.fill('Rename', { Name: 'Wiki' });
  sent.set('form_target', 'end');
  expect((await visitor.post(scene.path, sent)).status).toBe(403);
  expect((await scene.find()).name).toBe('ERP');
});

test('another account’s token, an unknown one and a malformed id are 404, also for forms', async () => {
  await using scene = await serveErp();
  const accountId = (await scene.world.accounts.list({ limit: 9 })).find(({ name }) => name === 'Globex')?.id;
  const eve = await givenPerson(scene.world, {
    accountId: accountId ?? expect.fail(),
    email: 'eve@globex.example',
  });
  const visitor = await scene.signedIn({ email: eve.email, password: PASSWORD });
  for (const path of [
    scene.path,
    `${scene.path.slice(0, -1)}x`,
    scene.path.toUpperCase().replace('/SETTINGS/API', '/settings/api'),
  ]) {
    const page = await visitor.get(path);
    expect([page.status, page.heading]).toEqual([404, 'Page not found']);
    expect(page.html).not.toContain('ERP');
  }
});

test('members are not shown tokens', async () => {
  await using scene = await serveErp();
  const { email } = scene.people.member;
  expect((await (await scene.signedIn({ email, password: PASSWORD })).get(scene.path)).status).toBe(403);
});

test('a sign-in token can be looked at and revoked, and nothing else', async () => {
  await using scene = await serveErp();
  await signInToken(scene.world, scene.people.admin);
  const [created] = await scene.world.audit.list({ actions: ['token.created'], limit: 1 });
  const page = await (await scene.signedIn()).get(`/settings/api/${created?.event.subject.id}`);
  expect(page.text).toContain('Kind Created when a program signed in');
  expect(page.forms.map(({ button }) => button)).toEqual(['Sign out']);
  expect(page.links.map(({ text }) => text)).toContain('Revoke token');
  expect(page.links.map(({ text }) => text)).not.toContain('Rotate token');
});

test('asks the stores four times at most, rotated or not, and for few events', async () => {
  await using scene = await serveErp();
  const { world, token, caller } = scene;
  for (let count = 0; count < 40; count += 1) {
    unwrap(await updateToken(world)(caller, { id: token.id, name: `Name ${count}` }));
  }
  unwrap(await rotateToken(world)(caller, { id: token.id, graceMs: DAY }));
  const visitor = await scene.signedIn();
  let calls = 0;
  for (const port of [world.tokens, world.audit, world.users, world.accounts, world.sessions]) {
    for (const [method, read] of Object.entries(port) as [string, (...input: unknown[]) => unknown][]) {
      // The ports have no index signature; each of their members is a method.
      vi.spyOn(port as unknown as Record<string, typeof read>, method).mockImplementation((...input) => {
        calls += 1;
        return read(...input);
      });
    }
  }
  const page = await visitor.get(scene.path);
  expect(page.text).toContain('Only the newest events are shown.');
  expect(calls).toBe(4);
});

test('a name is text, whatever it holds', async () => {
  await using scene = await serveErp();
  const visitor = await scene.signedIn();
  for (const name of NAUGHTY_TEXTS) {
    unwrap(await updateToken(scene.world)(scene.caller, { id: scene.token.id, name }));
    const page = await visitor.get(scene.path);
    expect([page.status, page.html.match(/<h1>/g)?.length]).toEqual([200, 1]);
    expect(page.html.replace(/ value="[^"]*"/g, '')).not.toMatch(
      /<script(?![^>]* src="\/assets\/)|<img|<svg\/|\sonerror=(?!alert)|[\u202A-\u202E\u2066-\u2069]/,
    );
    expect(page.formWith('Rename').values.get('name')).toBe(name);
  }
});
