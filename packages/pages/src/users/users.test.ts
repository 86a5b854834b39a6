import {
  anEvent,
  aRevocation,
  GOOD,
  givenAccount,
  givenMember,
  givenOrganization,
  givenPerson,
  givenServiceAccount,
  givenToken,
  PASSWORD,
} from '@gatehouse/domain/testing';
import type { User } from '@gatehouse/domain/users';
import { describe, expect, onTestFinished, test } from 'vitest';
import { NAUGHTY_TEXTS } from '../../testing/naughty-texts.ts';
import { type PageScene, servePages } from '../../testing/serve-pages.ts';

const MINUTE = 60_000;

async function open<Given extends object>(given?: (scene: PageScene) => Promise<Given>) {
  const scene = await servePages(given && { given });
  onTestFinished(() => scene[Symbol.asyncDispose]());
  // The compiler does not know that what is given has no other `world`.
  const { world } = scene as unknown as PageScene;
  const find = async ({ id }: Pick<User, 'id'>) => (await world.users.findById(id)) ?? expect.fail();
  const pathOf = ({ id }: Pick<User, 'id'>, under = '') => `/settings/users/${id}${under}`;
  return { ...scene, find, pathOf };
}

/** A scene in which Cy is a second admin, with two API tokens. */
const openWithCy = () =>
  open(async ({ world, people }) => {
    const cy = await givenPerson(world, {
      accountId: people.account.id,
      email: 'cy@acme.example',
      name: 'Cy',
    });
    const tokens = [
      await givenToken(world, cy, { name: 'ERP' }),
      await givenToken(world, cy, { name: 'Wiki' }),
    ];
    return { cy, tokens };
  });

describe('the list of users', () => {
  test('shows role, status, last sign-in and the number of active tokens of each', async () => {
    const scene = await openWithCy();
    await scene.signedIn({ ...GOOD, email: scene.people.member.email });
    scene.world.clock.advance(3 * MINUTE);
    const page = await (await scene.signedIn()).get('/settings/users');
    expect([page.status, page.heading]).toEqual([200, 'Users']);
    expect(page.text).toContain('3 users');
    expect(page.text).toMatch(/Ada ada @acme.example Admin Active just now 0/);
    expect(page.text).toMatch(/ben @acme.example Member Active 3 minutes ago 0/);
    expect(page.text).toMatch(/Cy cy @acme.example Admin Active Never 2/);
    expect((await page.follow('Cy')).heading).toBe('Cy');
  });

  test('is searched and filtered, and says if nothing matches', async () => {
    const scene = await openWithCy();
    const visitor = await scene.signedIn();
    const page = await (await visitor.get('/settings/users')).submit('Apply', { Search: 'CY' });
    expect(page.text).toMatch(/\b1 user\b/);
    const members = await visitor.get('/settings/users?role=member&status=active');
    expect(members.text).toContain('ben @acme.example');
    expect(members.text).not.toContain('cy @acme.example');
    const none = await visitor.get('/settings/users?search=nothing&role=king');
    expect(none.text).toContain('No user matches');
    expect(none.text).toContain('role=king');
  });

  test('is sorted by the heads of its columns, which say so', async () => {
    const scene = await openWithCy();
    const seen = ({ html, path }: { readonly html: string; readonly path: string }) => ({
      path,
      sort: html.match(/aria-sort="(\w+)"><a [^>]*>(.*?)</)?.slice(1),
      first: html.match(/href="users\/\d+">(?:<bdi>)?(\w+)/)?.[1],
    });
    const page = await (await scene.signedIn()).get('/settings/users?status=active');
    const path = '/settings/users?status=active';
    const byName = { path, sort: ['ascending', 'Name'], first: 'Ada' };
    expect(seen(page)).toEqual(byName);
    const newest = await page.follow('Created');
    const order = { path: `${path}&order=newest`, sort: ['descending', 'Created'], first: 'Cy' };
    expect(seen(newest)).toEqual(order);
    expect(seen(await newest.follow('Created'))).toEqual(byName);
    expect(seen(await newest.follow('Name'))).toEqual(byName);
  });

  test('has pages of fifty, which a name of any letters does not disturb', async () => {
    const scene = await open(async ({ world, people }) => {
      for (const [index, name] of [...NAUGHTY_TEXTS, ...NAUGHTY_TEXTS, ...NAUGHTY_TEXTS]
        .slice(0, 60)
        .entries())
        await givenPerson(world, { accountId: people.account.id, email: `p${index}@acme.example`, name });
      return {};
    });
    const visitor = await scene.signedIn();
    const rows = (html: string) => html.match(/<th scope="row">/g)?.length;
    const first = await visitor.get('/settings/users');
    expect(rows(first.html)).toBe(50);
    const second = await first.follow('Next page');
    expect(second.status).toBe(200);
    expect((await second.follow('Previous page')).html.match(/users\/\d+"/g)).toEqual(
      first.html.match(/users\/\d+"/g),
    );
    expect(first.html).not.toMatch(/<script>alert|<img/);
  });

  test('and every page below it is for admins of the account', async () => {
    const scene = await openWithCy();
    const member = await scene.signedIn({ ...GOOD, email: scene.people.member.email });
    const outsider = await givenPerson(scene.world, {
      accountId: (await givenAccount(scene.world)).id,
      email: 'eve@evil.example',
    });
    const eve = await scene.signedIn({ ...GOOD, email: outsider.email });
    expect((await member.get('/settings/api')).links.map(({ text }) => text)).not.toContain('Users');
    expect((await eve.get('/settings/api')).links.map(({ text }) => text)).toContain('Users');
    expect((await member.get('/settings/users')).status).toBe(403);
    expect((await eve.get('/settings/users')).text).not.toContain('acme.example');
    for (const under of ['', '/role', '/disable', '/enable']) {
      expect((await member.get(scene.pathOf(scene.cy, under))).status).toBe(403);
      expect((await eve.get(scene.pathOf(scene.cy, under))).status).toBe(404);
      expect((await eve.get(`/settings/users/x${under}`)).status).toBe(404);
    }
  });
});

describe('a user', () => {
  test('is shown with what an admin asks for', async () => {
    const scene = await openWithCy();
    const { world, people, cy } = scene;
    await scene.signedIn({ ...GOOD, email: cy.email });
    const visitor = await scene.signedIn();
    const page = await visitor.get(scene.pathOf(cy));
    expect(page.text).toContain('Sessions');
    expect(page.links.find(({ text }) => text === '2 active')?.href).toBe(
      '/settings/api?owner=cy%40acme.example',
    );
    expect((await page.follow('Changes by this user')).text).toContain('cy@acme.example signed in');
    const { id } = await givenOrganization(world, people.account.id);
    await givenMember(world, id, people.member.id);
    expect((await visitor.get(scene.pathOf(people.member))).text).toContain('Press shop');
  });

  test('whose sessions an admin ends is signed out, and only that user', async () => {
    const scene = await openWithCy();
    const cy = await scene.signedIn({ ...GOOD, email: scene.cy.email });
    const visitor = await scene.signedIn();
    const page = await (await visitor.get(scene.pathOf(scene.cy))).submit('End all sessions');
    expect(page.messages).toEqual(['All sessions of the user were ended.']);
    expect(page.text).toContain('No browser is signed in as this user.');
    expect((await cy.get('/settings/api')).heading).toBe('Sign in');
  });
});

describe('a role', () => {
  test('is changed after the page has said what follows, and with the password if it is long ago', async () => {
    const scene = await openWithCy();
    const { people, world } = scene;
    const visitor = await scene.signedIn();
    const page = await (await visitor.get(scene.pathOf(people.member))).follow('Make admin');
    expect(page.text).toContain('will manage the users, organizations and API tokens');
    world.clock.advance(11 * MINUTE);
    const asked = await page.submit('Make admin');
    expect([asked.status, asked.messages[0]]).toEqual([422, expect.stringContaining('Password is required')]);
    expect((await scene.find(people.member)).role).toBe('member');
    expect((await asked.submit('Make admin', { Password: 'wrong' })).status).toBe(422);
    const done = await asked.submit('Make admin', { Password: PASSWORD });
    expect([done.path, done.messages]).toEqual([scene.pathOf(people.member), ['The role was changed.']]);
    expect((await scene.find(people.member)).role).toBe('admin');
    // The same form again changes nothing.
    await page.submit('Make admin');
    expect((await scene.find(people.member)).role).toBe('admin');
  });

  test('of the last admin stays', async () => {
    const scene = await open();
    const page = await (await scene.signedIn()).get(scene.pathOf(scene.people.admin, '/role'));
    const refused = await page.submit('Make member');
    expect([refused.status, refused.messages[0]]).toEqual([
      409,
      expect.stringContaining('last active admin'),
    ]);
    expect((await scene.find(scene.people.admin)).role).toBe('admin');
  });

  test('of one’s own can be given up', async () => {
    const scene = await openWithCy();
    const page = await (await scene.signedIn()).get(scene.pathOf(scene.people.admin, '/role'));
    expect(page.text).toContain('This is you.');
    const done = await page.submit('Make member');
    expect([done.status, done.path]).toEqual([200, '/settings/organizations']);
    expect((await scene.find(scene.people.admin)).role).toBe('member');
  });
});

describe('disabling a user', () => {
  const openDisable = async () => {
    const scene = await openWithCy();
    const visitor = await scene.signedIn();
    return { ...scene, visitor, page: await visitor.get(scene.pathOf(scene.cy, '/disable')) };
  };
  const ownersOf = async ({ world, tokens }: Awaited<ReturnType<typeof openDisable>>) =>
    Promise.all(tokens.map(async ({ id }) => (await world.tokens.findRecord(id)) ?? expect.fail()));

  test('asks what happens to the tokens, and nothing is selected', async () => {
    const scene = await openDisable();
    const form = scene.page.formWith('Disable user');
    expect(form.values.has('tokens')).toBe(false);
    expect(scene.page.links.find(({ text }) => text === '2 active')?.href).toBe(
      '/settings/api?owner=cy%40acme.example',
    );
    const asked = await scene.page.submit('Disable user');
    expect([asked.status, asked.messages.join(' ')]).toEqual([
      422,
      expect.stringContaining('Choose what happens to the tokens.'),
    ]);
    expect((await scene.find(scene.cy)).disabledAt).toBeNull();
  });

  test('revokes them if one says so', async () => {
    const scene = await openDisable();
    const done = await scene.page.submit('Disable user', { Revoke: true, Reason: 'left' });
    expect([done.path, done.messages]).toEqual([
      scene.pathOf(scene.cy),
      ['The user was disabled, and the API tokens of the user were revoked.'],
    ]);
    for (const { revocation } of await ownersOf(scene))
      expect(revocation?.reason).toBe('the user was disabled: left');
    const links = done.links.map(({ text }) => text);
    expect(links).toContain('Enable user');
    for (const gone of ['Make member', 'Disable user']) expect(links).not.toContain(gone);
    expect(done.forms.map(({ button }) => button)).toEqual(['Sign out']);
    const back = await (await done.follow('Enable user')).submit('Enable user');
    expect(back.messages).toEqual(['The user was enabled. Tokens that were revoked stay revoked.']);
  });

  test('gives them to an admin of the account whom one names', async () => {
    const scene = await openDisable();
    const give = (typed: object) =>
      scene.page.submit('Disable user', { 'Give all to one owner': true, ...typed });
    const unnamed = await give({});
    expect(unnamed.messages[0]).toContain('New owner is required');
    for (const unfit of [scene.people.member.email, scene.cy.email, 'unknown@acme.example'])
      expect((await give({ 'New owner': unfit })).messages[0]).toContain('must be another active admin');
    await givenToken(scene.world, scene.people.admin, { name: 'ERP' });
    const taken = await give({ 'New owner': GOOD.email });
    expect(taken.messages[0]).toContain('already has tokens named “ERP”');
    const rename = { 'New owner': GOOD.email, 'Add a number to these names, such as ERP (2)': true };
    const given = await give(rename);
    expect(given.messages).toEqual([
      'The user was disabled, and the new owner has the API tokens of the user.',
    ]);
    expect((await ownersOf(scene)).map(({ userId, name }) => [userId, name])).toEqual([
      [scene.people.admin.id, 'ERP (2)'],
      [scene.people.admin.id, 'Wiki'],
    ]);
  });

  test('asks about each token and each service account, and lists those that have no answer', async () => {
    const scene = await openWithCy();
    const { world, cy, people } = scene;
    const { user: erp } = await givenServiceAccount(world, people.admin, { name: 'Badges' });
    const { user: kept } = await givenServiceAccount(world, cy, { name: 'Kept' });
    const { user: ended } = await givenServiceAccount(world, cy, { name: 'Ended' });
    const page = await (await scene.signedIn()).get(scene.pathOf(cy, '/disable'));
    const unanswered = await page.submit('Disable user', { 'Decide for each token': true });
    expect(unanswered.status).toBe(422);
    expect(unanswered.messages.join(' ')).toContain('Choose an owner for each token');
    expect(unanswered.messages.join(' ')).toContain('Choose what happens to each service account.');
    const [one, other] = scene.tokens;
    const answers = {
      'Decide for each token': true,
      ERP: `${one?.id} ${erp.id}`,
      Wiki: `${other?.id} revoke`,
      Kept: `${kept.id} ${people.admin.id}`,
      Ended: `${ended.id} disable`,
    };
    const wrong = await page.submit('Disable user', { ...answers, Ended: `${ended.id} ${cy.id}` });
    expect(wrong.messages.join(' ')).toContain('Choose what happens to each service account.');
    expect(wrong.html).toContain(`value="${one?.id} ${erp.id}" selected`);
    const done = await page.submit('Disable user', answers);
    expect(done.messages).toEqual([
      'The user was disabled, and the new owner has the API tokens of the user.',
    ]);
    expect((await world.tokens.findRecord((one ?? expect.fail()).id))?.userId).toBe(erp.id);
    expect((await world.tokens.findRecord((other ?? expect.fail()).id))?.revocation).not.toBeNull();
    expect((await world.serviceAccounts.find(kept.id))?.responsible.id).toBe(people.admin.id);
    expect((await scene.find(ended)).disabledAt).not.toBeNull();
  });

  test('asks once about all service accounts and all tokens if there are many', async () => {
    const scene = await openWithCy();
    const { world, cy } = scene;
    for (let count = 0; count < 41; count += 1) {
      await givenServiceAccount(world, cy, { name: `Program ${count}` });
      await givenToken(world, cy);
    }
    const page = await (await scene.signedIn()).get(scene.pathOf(cy, '/disable'));
    expect(page.text).not.toContain('Decide for each token');
    expect(page.text).toContain('first give single tokens on their own pages');
    const done = await page.submit('Disable user', { Revoke: true, 'All 41 service accounts': 'all leave' });
    expect([done.path, (await scene.find(cy)).disabledAt]).toEqual([scene.pathOf(cy), expect.any(Number)]);
    const { accountId } = cy;
    const left = await world.serviceAccounts.list({ accountId, isUnanswered: true, limit: 99 });
    expect(left).toHaveLength(41);
  });

  test('never gives the tokens of a member to an admin', async () => {
    const scene = await openDisable();
    await scene.world.users.setRole(scene.cy.id, 'member', () => anEvent());
    const page = await scene.visitor.get(scene.pathOf(scene.cy, '/disable'));
    expect(page.text).toContain(
      'The tokens of a member can only be given to a service account that is a member',
    );
    expect(page.html).not.toContain('Give all to one owner');
    // The form that was opened before is refused, too.
    const sent = await scene.page.submit('Disable user', {
      'Give all to one owner': true,
      'New owner': GOOD.email,
    });
    expect(sent.status).toBe(422);
    expect((await scene.find(scene.cy)).disabledAt).toBeNull();
  });

  test('is refused for the last admin, oneself', async () => {
    const scene = await open();
    const page = await (await scene.signedIn()).get(scene.pathOf(scene.people.admin, '/disable'));
    expect(page.text).toContain('This is you.');
    expect((await page.submit('Disable user')).status).toBe(409);
    expect((await scene.find(scene.people.admin)).disabledAt).toBeNull();
  });

  test('and every other change is refused to one who is no admin any more when it is made', async () => {
    const scene = await openDisable();
    await scene.world.users.setRole(scene.people.admin.id, 'member', () => anEvent());
    expect((await scene.page.submit('Disable user', { Revoke: true })).status).toBe(403);
    expect((await scene.find(scene.cy)).disabledAt).toBeNull();
  });
});

test.each([
  ['disabling', '/disable', 'Disable user'],
  ['enabling', '/enable', 'Enable user'],
] as const)('%s a user needs the password if it is long ago', async (deed, under, button) => {
  const scene = await open();
  const { member } = scene.people;
  if (deed === 'enabling') await scene.world.users.disable(member.id, aRevocation(), anEvent());
  const before = await scene.find(member);
  const page = await (await scene.signedIn()).get(scene.pathOf(member, under));
  scene.world.clock.advance(11 * MINUTE);
  const asked = await page.submit(button);
  expect([asked.status, asked.messages[0]]).toEqual([422, expect.stringContaining('Password is required')]);
  expect((await asked.submit(button, { Password: 'wrong' })).status).toBe(422);
  expect(await scene.find(member)).toEqual(before);
  await asked.submit(button, { Password: PASSWORD });
  expect((await scene.find(member)).disabledAt).not.toEqual(before.disabledAt);
});

test('another account’s admin changes nothing by a form that was made for the own account', async () => {
  const scene = await openWithCy();
  const { id: accountId } = await givenAccount(scene.world);
  const eve = await givenPerson(scene.world, { accountId, email: 'eve@evil.example' });
  const visitor = await scene.signedIn({ ...GOOD, email: eve.email });
  const forms = [
    ['/role', 'Make member'],
    ['/disable', 'Disable user'],
  ] as const;
  for (const [under, button] of forms) {
    const values = (await visitor.get(scene.pathOf(eve, under))).fill(button);
    const sent = await visitor.post(scene.pathOf(scene.cy, under), values);
    // The token of the form is for the path that it was made for; the page behind it does not exist for Eve.
    expect([403, 404]).toContain(sent.status);
    expect(sent.text).not.toContain('acme.example');
  }
  expect(await scene.find(scene.cy)).toEqual(scene.cy);
});
