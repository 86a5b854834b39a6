import { anEvent, givenMember, givenOrganization, givenPerson, givenUser } from '@gatehouse/domain/testing';
import { describe, expect, test } from 'vitest';
import { asMember } from '../../testing/as-member.ts';
import { givenNamed } from '../../testing/given-organization.ts';
import { NAUGHTY_TEXTS, structureOf } from '../../testing/naughty-texts.ts';
import { servePages } from '../../testing/serve-pages.ts';

const LIST = '/settings/organizations';

describe('the list', () => {
  test('has all organizations of the account for an admin, with the number of members', async () => {
    await using scene = await servePages();
    await givenNamed(scene, 'Foundry', 'Castings\nof iron');
    const page = await (await scene.signedIn()).get(LIST);
    expect([page.status, page.heading]).toEqual([200, 'Organizations']);
    expect(page.html.match(/<tbody>/g)).toHaveLength(1);
    expect(page.text).toMatch(/Press shop 1 .*Press shop 0 .*Foundry Castings 0 /s);
    expect(page.html).not.toContain(`${LIST}/${scene.people.foreign.id}`);
  });

  test('has the organizations of a member for a member, without a way to create one', async () => {
    await using scene = await servePages();
    const page = await (await asMember(scene)).get(LIST);
    const { shared, closed } = scene.people;
    expect(page.html).toContain(`${LIST}/${shared.id}`);
    expect(page.html).not.toContain(`${LIST}/${closed.id}`);
    expect(page.html).not.toContain('Create organization');
  });

  test('is searched by a part of the name, and says if nothing matches', async () => {
    await using scene = await servePages();
    await givenNamed(scene, 'Foundry');
    const visitor = await scene.signedIn();
    const found = await (await visitor.get(LIST)).submit('Apply', { Search: 'OUND' });
    expect(found.text).toContain('Foundry');
    expect(found.text).not.toContain('Press shop');
    const none = await visitor.get(`${LIST}?search=%3Cb%3E`);
    expect(none.text).toContain('No organization matches');
    expect(none.html).not.toContain('<b>');
  });

  test('continues on the next page, also of a search', async () => {
    await using scene = await servePages();
    for (let number = 0; number < 51; number += 1) await givenNamed(scene, `Hall ${number}`);
    const first = await (await scene.signedIn()).get(`${LIST}?search=Hall`);
    const second = await first.follow('Next page');
    expect(second.text).toMatch(/Hall 50/);
    expect(second.html).not.toContain('Next page');
    expect((await second.follow('First page')).text).toContain('Hall 0');
  });

  test('is sorted by the head of its column, on each page and with a search', async () => {
    await using scene = await servePages();
    for (let number = 10; number < 61; number += 1) await givenNamed(scene, `Hall ${number}`);
    const shown = ({ html }: { readonly html: string }) =>
      [...html.matchAll(/Hall \d\d/g)].map(([name]) => name);
    const page = await (await scene.signedIn()).get(`${LIST}?search=Hall`);
    expect([page.html.includes('aria-sort="ascending"'), shown(page)[0]]).toEqual([true, 'Hall 10']);
    const newest = await page.follow('Created');
    expect([newest.html.includes('aria-sort="descending"'), shown(newest)[0]]).toEqual([true, 'Hall 60']);
    expect(shown(await newest.follow('Next page'))).toEqual(['Hall 10']);
    expect(shown(await newest.submit('Apply', { Search: 'Hall 1' }))[0]).toBe('Hall 19');
    expect((await newest.follow('Created')).path).toBe(`${LIST}?search=Hall`);
  });

  test('says what an organization is if there is none, and who can add a member', async () => {
    await using scene = await servePages();
    const { world, people } = scene;
    for (const { id } of [people.shared, people.closed])
      await world.organizations.delete(id, () => anEvent());
    expect((await (await scene.signedIn()).get(LIST)).text).toContain('There are no organizations yet');
    expect((await (await asMember(scene)).get(LIST)).text).toContain('You do not belong to an organization');
  });

  test('ignores parts of the address that it does not know', async () => {
    await using scene = await servePages();
    const page = await (await scene.signedIn()).get(`${LIST}?after=x`);
    expect(page.text).toContain('were ignored: after=x');
  });
});

describe('creating an organization', () => {
  test('leads to its page, with an event of the user', async () => {
    await using scene = await servePages();
    const visitor = await scene.signedIn();
    const created = await (await visitor.get(`${LIST}/new`)).submit('Create organization', {
      Name: ' Foundry ',
      Description: 'Castings\r\nof iron',
    });
    expect([created.status, created.heading]).toEqual([200, 'Foundry']);
    expect(created.text).toContain('The organization was created.');
    expect(created.html).toContain('<span class="lines">Castings\nof iron</span>');
    const [newest] = await scene.world.organizationLists.list({
      accountId: scene.people.account.id,
      search: 'Foundry',
      limit: 1,
    });
    expect(newest).toMatchObject({ name: 'Foundry', description: 'Castings\nof iron' });
    const [{ event } = expect.fail()] = await scene.world.audit.list({ limit: 1 });
    expect(event).toMatchObject({
      action: 'organization.created',
      actor: { kind: 'user', id: scene.people.admin.id },
      accountId: scene.people.account.id,
    });
  });

  test('keeps the values if one is not valid', async () => {
    await using scene = await servePages();
    const page = await (await scene.signedIn()).get(`${LIST}/new`);
    const refused = await page.submit('Create organization', { Name: 'x\u0007', Description: '<b>' });
    expect([refused.status, refused.messages.at(-1)]).toEqual([
      422,
      'Name must not hold control characters or lone surrogates.',
    ]);
    expect(refused.formWith('Create organization').values.get('description')).toContain('<b>');
  });

  test('is not for members', async () => {
    await using scene = await servePages();
    expect((await (await asMember(scene)).get(`${LIST}/new`)).status).toBe(403);
  });
});

describe('an organization', () => {
  test('shows an admin its members, and what can be changed', async () => {
    await using scene = await servePages();
    const { shared } = scene.people;
    const page = await (await scene.signedIn()).get(`${LIST}/${shared.id}`);
    expect([page.status, page.heading]).toEqual([200, 'Press shop']);
    expect(page.text).toContain('1 member.');
    for (const button of ['Save', 'Add member', 'Remove Ada']) expect(page.formWith(button)).toBeDefined();
    expect(page.html).toContain(`${LIST}/${shared.id}/delete`);
  });

  test('shows a member the members, and nothing to change', async () => {
    await using scene = await servePages();
    const page = await (await asMember(scene)).get(`${LIST}/${scene.people.shared.id}`);
    expect(page.status).toBe(200);
    expect(page.text).toContain('ben @acme.example');
    expect(page.forms.map(({ button }) => button)).toEqual(['Sign out']);
    expect(page.html).not.toContain('/delete');
  });

  test('is renamed and described', async () => {
    await using scene = await servePages();
    const { id } = scene.people.shared;
    const page = await (await scene.signedIn()).get(`${LIST}/${id}`);
    const saved = await page.submit('Save', { Name: 'Foundry', Description: 'Line 1\r\nLine 2' });
    expect([saved.heading, saved.text.includes('The organization was changed.')]).toEqual(['Foundry', true]);
    const changed = { name: 'Foundry', description: 'Line 1\nLine 2' };
    expect(await scene.world.organizations.findById(id)).toMatchObject(changed);
    // A description of several lines is shown as it is, so that renaming does not change it.
    await saved.submit('Save', { Name: 'Castings' });
    expect(await scene.world.organizations.findById(id)).toMatchObject({ ...changed, name: 'Castings' });
    const refused = await saved.submit('Save', { Name: '' });
    expect(refused.status).toBe(422);
  });

  test('gets a member by the address of a user of the account', async () => {
    await using scene = await servePages();
    const { world, people } = scene;
    const { id } = people.closed;
    const visitor = await scene.signedIn();
    const add = async (Email: string) => (await visitor.get(`${LIST}/${id}`)).submit('Add member', { Email });
    expect((await add(' BEN@acme.example ')).text).toContain('The member was added.');
    expect((await add('ben@acme.example')).text).toContain('already a member');
    expect(await world.organizations.countMembers(id)).toBe(1);
    const outsider = { accountId: people.foreign.accountId, email: 'eve@globex.example' };
    await givenPerson(world, outsider);
    for (const address of [outsider.email, 'unknown@acme.example', 'x']) {
      const refused = await add(address);
      expect([refused.status, refused.messages.at(-1)]).toEqual([
        422,
        'No user of this account has this address.',
      ]);
    }
    expect(await world.organizations.countMembers(id)).toBe(1);
  });

  test('loses a member once, and says if the member had left before', async () => {
    await using scene = await servePages();
    const { id } = scene.people.shared;
    const page = await (await scene.signedIn()).get(`${LIST}/${id}`);
    expect((await page.submit('Remove Ada')).text).toContain('The member was removed.');
    expect((await page.submit('Remove Ada')).text).toContain('no longer a member');
    expect(await scene.world.organizations.countMembers(id)).toBe(0);
  });

  test('shows more than 50 members on several pages', async () => {
    await using scene = await servePages();
    const { world, people } = scene;
    for (let number = 0; number < 50; number += 1)
      await givenMember(world, people.shared.id, (await givenUser(world, people.account.id)).id);
    const first = await (await scene.signedIn()).get(`${LIST}/${people.shared.id}`);
    expect(first.text).toContain('51 members.');
    const second = await first.follow('Next page');
    expect(second.html.match(/name="form_target" value="remove-/g)).toHaveLength(1);
    expect((await second.follow('First page')).html).toContain('Next page');
  });
});

test('every text that a user can write is text', async () => {
  await using scene = await servePages();
  const { id, accountId } = await givenOrganization(scene.world, scene.people.account.id);
  const visitor = await scene.signedIn();
  const shapes = new Set<string>();
  for (const text of NAUGHTY_TEXTS.slice(0, 6)) {
    await scene.world.organizations.update(id, { name: text.slice(0, 150), description: text }, () =>
      anEvent({ accountId }),
    );
    for (const path of ['', '/delete']) {
      const page = await visitor.get(`${LIST}/${id}${path}`);
      expect(page.status).toBe(200);
      shapes.add(`${path} ${structureOf(page.html).length}`);
    }
  }
  expect(shapes.size).toBe(2);
});
