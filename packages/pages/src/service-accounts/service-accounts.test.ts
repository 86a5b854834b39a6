import {
  anEvent,
  GOOD,
  givenAdmin,
  givenPerson,
  givenServiceAccount,
  givenToken,
} from '@gatehouse/domain/testing';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type PageScene, servePages } from '../../testing/serve-pages.ts';

const PATH = '/settings/service-accounts';

/** A scene with the service account ERP, for which Cy answers. */
async function open() {
  const scene = await servePages({
    given: async ({ world, people }: PageScene) => {
      const named = { accountId: people.account.id, email: 'cy@acme.example', name: 'Cy' };
      const cy = await givenPerson(world, named);
      const made = { kind: 'user', id: people.admin.id } as const;
      const { user: erp } = await givenServiceAccount(world, cy, {
        madeBy: made,
        description: 'Posts orders',
      });
      return { cy, erp };
    },
  });
  onTestFinished(() => scene[Symbol.asyncDispose]());
  const { world, erp } = scene;
  const find = async () => (await world.serviceAccounts.find(erp.id)) ?? expect.fail();
  return { ...scene, find, path: `${PATH}/${erp.id}` };
}

describe('service accounts', () => {
  test('are listed for admins, with who answers, and are not among the users', async () => {
    const scene = await open();
    const visitor = await scene.signedIn();
    const list = await visitor.get(PATH);
    expect([list.status, list.heading]).toEqual([200, 'Service accounts']);
    expect(list.text).toMatch(/ERP Member Active Cy cy @acme.example just now/);
    expect((await visitor.get('/settings/users')).text).not.toContain('ERP');
    const shown = await list.follow('ERP');
    expect([shown.path, shown.heading]).toEqual([scene.path, 'ERP']);
    expect(shown.text).toContain('Posts orders');
    expect(shown.text).toMatch(/Created .*by Ada \(ada @acme.example\)/);
    // The page of a user leads there.
    expect((await visitor.get(`/settings/users/${scene.erp.id}`)).path).toBe(scene.path);
  });

  test('are created with a person who answers', async () => {
    const scene = await open();
    const page = await (await scene.signedIn()).get(`${PATH}/new`);
    const unnamed = await page.submit('Create service account', { 'Responsible admin': 'cy@acme.example' });
    expect([unnamed.status, unnamed.messages.join(' ')]).toEqual([422, expect.stringContaining('Name')]);
    const unfit = await page.submit('Create service account', {
      Name: 'CRM',
      'Responsible admin': scene.people.member.email,
    });
    expect(unfit.messages.join(' ')).toContain('Responsible admin must be an active admin of your account.');
    const made = await page.submit('Create service account', { Name: 'CRM', Admin: true, Member: false });
    expect(made.messages).toEqual([
      'The service account was created. Create a token for it, or give it one.',
    ]);
    expect(made.heading).toBe('CRM');
    const [created] = (await scene.world.audit.list({ limit: 1 })).map(({ event }) => event);
    expect(created).toMatchObject({
      action: 'user.created',
      actor: { kind: 'user', id: scene.people.admin.id },
      details: { kind: 'service', role: 'admin', responsible: GOOD.email },
    });
  });

  test('are not created while a server of an older version runs', async () => {
    const scene = await open();
    const page = await (await scene.signedIn()).get(`${PATH}/new`);
    scene.world.editions.connectOlder();
    const refused = await page.submit('Create service account', { Name: 'CRM' });
    expect([refused.status, refused.messages.join(' ')]).toEqual([
      409,
      expect.stringContaining('It does not know service accounts'),
    ]);
  });

  test('without a responsible admin are named, and get another one', async () => {
    const scene = await open();
    const visitor = await scene.signedIn();
    expect((await visitor.get(PATH)).text).not.toContain('no responsible admin');
    await scene.world.users.setRole(scene.cy.id, 'member', () => anEvent());
    const list = await visitor.get(PATH);
    expect(list.text).toContain('Some service accounts have no responsible admin.');
    const named = await list.follow('Show them');
    expect(named.text).toMatch(/ERP Member Active None cy @acme.example is no active admin/);
    const shown = await named.follow('ERP');
    expect(shown.text).toContain('No active admin is responsible for this service account.');
    const edit = await shown.follow('Choose another admin');
    expect((await edit.submit('Save')).messages.join(' ')).toContain('must be an active admin');
    const saved = await edit.submit('Save', {
      Name: 'ERP, Hamburg',
      Description: '',
      'Responsible admin': GOOD.email,
    });
    expect(saved.messages).toEqual(['The service account was changed.']);
    expect(await scene.find()).toMatchObject({
      user: { name: 'ERP, Hamburg' },
      description: null,
      responsible: { id: scene.people.admin.id },
    });
    expect((await visitor.get(`${PATH}?responsible=none`)).text).toContain(
      'Every service account has a responsible admin',
    );
  });

  test('change their role, and are disabled and enabled', async () => {
    const scene = await open();
    const visitor = await scene.signedIn();
    const admin = await (await (await visitor.get(scene.path)).follow('Make admin')).submit('Make admin');
    expect([admin.path, (await scene.find()).user.role]).toEqual([scene.path, 'admin']);
    const { id } = await givenToken(scene.world, (await scene.find()).user);
    const page = await admin.follow('Disable service account');
    const disabled = await page.submit('Disable service account', { Revoke: true });
    expect(disabled.messages).toEqual(['The service account was disabled.']);
    expect((await scene.world.tokens.findRecord(id))?.revocation).not.toBeNull();
    const enable = await disabled.follow('Enable service account');
    const enabled = await enable.submit('Enable service account');
    expect(enabled.messages[0]).toContain('The service account was enabled.');
    expect((await scene.find()).user.disabledAt).toBeNull();
  });

  test('own tokens that an admin creates for them, by a form for this owner', async () => {
    const scene = await open();
    const visitor = await scene.signedIn();
    const page = await (await visitor.get(scene.path)).follow('New token');
    expect(page.text).toContain('act as the service account ERP');
    const typed = { Name: 'Orders', 'Everything *': true };
    const form = page.forms.find(({ button }) => button === 'Create token');
    expect(form).toBeDefined();
    const made = await page.submit('Create token', typed);
    expect([made.status, made.heading]).toEqual([200, 'Token created']);
    const [event] = (await scene.world.audit.list({ limit: 1 })).map((each) => each.event);
    expect(event).toMatchObject({
      actor: { kind: 'user', id: scene.people.admin.id },
      details: { user_id: scene.erp.id },
    });
    const own = await (await visitor.get('/settings/api/new')).submit('Change owner', {
      Owner: scene.erp.email,
    });
    expect(own.text).toContain('act as the service account ERP');
    const foreign = await givenServiceAccount(scene.world, await givenAdmin(scene.world), { name: 'Theirs' });
    const unknown = await visitor.get(`/settings/api/new?owner=${foreign.user.id}`);
    expect(unknown.text).toContain(`act as you, ${GOOD.email}`);
    expect((await visitor.get('/settings/api')).text).toMatch(/Orders ERP Service account/);
  });

  test('get a token that a person had', async () => {
    const scene = await open();
    const token = await givenToken(scene.world, scene.people.admin, { name: 'Badges' });
    const visitor = await scene.signedIn();
    const page = await (await visitor.get(`/settings/api/${token.id}`)).follow('Give token');
    expect((await page.submit('Give token')).messages.join(' ')).toContain('New owner is required');
    const unfit = await page.submit('Give token', { 'New owner': scene.people.member.email });
    expect(unfit.messages.join(' ')).toContain('must be another active admin of your account');
    const given = await page.submit('Give token', { 'New owner': scene.erp.email });
    expect(given.messages).toEqual(['The new owner has the token.']);
    expect(given.text).toContain('ERP (service account)');
    expect((await scene.world.tokens.findRecord(token.id))?.userId).toBe(scene.erp.id);
  });

  test('of another account do not exist, and members see none', async () => {
    const scene = await open();
    const foreign = await givenServiceAccount(scene.world, await givenAdmin(scene.world));
    const visitor = await scene.signedIn();
    const member = await scene.signedIn({ ...GOOD, email: scene.people.member.email });
    for (const under of ['', '/edit'])
      expect((await visitor.get(`${PATH}/${foreign.user.id}${under}`)).status).toBe(404);
    for (const path of [PATH, `${PATH}/new`, scene.path, `${scene.path}/edit`])
      expect((await member.get(path)).status).toBe(403);
  });
});
