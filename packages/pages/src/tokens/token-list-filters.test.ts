import { replaceInvisible } from '@gatehouse/domain';
import { givenToken, givenUser } from '@gatehouse/domain/testing';
import { forgetAddresses } from '@gatehouse/domain/tokens';
import { describe, expect, test } from 'vitest';
import { DAY, names, PATH, row, serveList } from '../../testing/serve-list.ts';

describe('search, filters and order', () => {
  async function serveSome() {
    const scene = await serveList();
    await scene.give('Old', null, { scopes: ['orgs:read'] });
    await givenToken(
      scene.world,
      await givenUser(scene.world, scene.people.account.id, { email: 'eve@acme.example' }),
      {
        name: 'Eves',
        createdAt: scene.world.clock.now(),
      },
    );
    scene.world.clock.advance(100 * DAY);
    await scene.give('Brief', 10);
    const refused = await scene.give('Refused', 40);
    scene.world.usage.refused(refused.id, scene.world.clock.now(), 'not_allowed');
    await scene.world.usage.flush();
    await scene.revoke(await scene.give('Ended'));
    return scene;
  }

  test.each([
    [{ Search: 'bri' }, ['Brief']],
    [{ Search: 'eve@' }, ['Eves']],
    [{ Scope: 'orgs:read' }, ['Old']],
    [{ 'Owner’s email': 'EVE@acme.example' }, ['Eves']],
    [{ 'Unused for': '90d' }, ['Eves', 'Old']],
    [{ Expires: '14d' }, ['Brief']],
    [{ Expires: 'never', Order: 'name' }, ['Eves', 'Old']],
    [{ State: 'refused' }, ['Refused']],
    [{ State: 'being_replaced' }, []],
    [{ Order: 'expiry' }, ['Brief', 'Refused', 'Old', 'Eves']],
    [{ Order: 'name' }, ['Brief', 'Eves', 'Old', 'Refused']],
  ])('are a form that writes the address: %j', async (typed, expected) => {
    await using scene = await serveSome();
    const page = await (await scene.list()).submit('Apply', typed as Record<string, string>);
    expect(page.messages).toEqual([]);
    expect([page.status, names(page)]).toEqual([200, expected]);
    const again = page.fill('Apply');
    expect(Object.fromEntries(again)).toMatchObject(
      Object.fromEntries(new URLSearchParams(page.path.split('?')[1])),
    );
  });

  test.each(['203.0.113.9', '203.0.113.', '::ffff:203.0.113.9'])(
    'find a token by an address of its use, and show it once: %s',
    async (search) => {
      await using scene = await serveSome();
      const { world } = scene;
      const from = async (name: string, address: string, ...refused: readonly string[]) => {
        const { id } = await scene.give(name);
        world.usage.used(id, world.clock.now(), address);
        for (const place of refused) {
          world.usage.refused(id, world.clock.now(), 'not_allowed', place);
          world.clock.advance(1);
        }
        world.clock.advance(60_000);
        world.usage.used(id, world.clock.now(), '10.0.0.1');
      };
      await from('ERP', '203.0.113.9');
      await from('Wiki', '198.51.100.1', '203.0.113.9');
      await from('CRM', '198.51.100.2');
      await from('Door', '198.51.100.1', '203.0.113.9', '10.0.0.2');
      const page = await (await scene.list()).submit('Apply', { Search: search });
      expect(names(page)).toEqual(['Door', 'Wiki', 'ERP']);
      expect(row(page, 'ERP')).toContain('ERP|Used|4 minutes ago|from|203.0.113.9|');
      expect(row(page, 'Door')).toContain('Door|Refused|1 minute ago|from|203.0.113.9|');
      expect(row(page, 'Wiki')).toMatch(
        /^Wiki\|Refused\|3 minutes ago\|from\|203\.0\.113\.9\|Ada\|(?!.*203)/,
      );
      expect(page.html).not.toContain('198.51.100.1');
    },
  );

  test('find an IPv6 address by its network, and none that is not kept', async () => {
    await using scene = await serveSome();
    const { id } = await scene.give('Six');
    scene.world.usage.used(id, scene.world.clock.now(), '2001:db8::1');
    expect(names(await scene.list('?search=2001:0DB8:0::ffff'))).toEqual(['Six']);
    await forgetAddresses(scene.world)('all');
    const page = await scene.list('?search=2001:db8::1');
    expect([page.status, names(page)]).toEqual([200, []]);
    expect(page.text).toContain('No active token matches');
  });

  test('have at most eight words, and the page says so', async () => {
    await using scene = await serveSome();
    const eight = 'a b c d e f g h';
    const note = 'Only the first 8 words of the search were searched for.';
    expect((await scene.list(`?search=${encodeURIComponent(eight)}`)).text).not.toContain(note);
    expect((await scene.list(`?search=${encodeURIComponent(`${eight} i`)}`)).text).toContain(note);
  });

  test('among ended tokens stay among them', async () => {
    await using scene = await serveSome();
    const page = await (await scene.list('?section=ended')).submit('Apply', {
      Search: 'e',
      State: 'revoked',
    });
    expect(names(page)).toEqual(['Ended']);
    expect(page.links.find(({ text }) => text === 'Active')?.href).toBe(`${PATH}?search=e`);
  });

  test('by a state of ended tokens shows these', async () => {
    await using scene = await serveSome();
    expect(names(await scene.list('?state=revoked'))).toEqual(['Ended']);
  });

  test('can ask for days that the form does not offer, and the form keeps them', async () => {
    await using scene = await serveSome();
    const page = await scene.list('?expires=41d&unused_for=1d');
    expect(names(page)).toEqual([]);
    expect(page.fill('Apply').get('expires')).toBe('41d');
    expect(page.html).toContain('<option value="41d" selected>41 days</option>');
  });

  test.each([
    'section=all',
    'state=lost',
    'scope=orgs',
    'unused_for=soon',
    'unused_for=0d',
    'unused_for=99999d',
    'expires=1y',
    'order=random()',
    'after=x',
    'before=%00',
    'search=%00',
    `search=${'x'.repeat(201)}`,
    `owner=${'x'.repeat(321)}`,
    'owner=a%00b',
    'state=__proto__',
  ])('that an address has but the page does not know are left out and named: %s', async (query) => {
    await using scene = await serveSome();
    const [name = '', text = ''] = [...new URLSearchParams(query)][0] ?? [];
    const page = await scene.list(`?${query}`);
    expect([page.status, names(page)]).toEqual([200, ['Refused', 'Brief', 'Eves', 'Old']]);
    expect(page.text).toContain(`and were ignored: ${replaceInvisible(`${name}=${text}`.slice(0, 80))}`);
  });

  test('of active tokens alone are left out among ended ones', async () => {
    await using scene = await serveSome();
    const page = await scene.list('?section=ended&expires=14d&unused_for=90d');
    expect(names(page)).toEqual(['Ended']);
    expect(page.text).toContain('ignored: unused_for=90d and expires=14d');
  });

  test.each([
    '',
    '=',
    '&&',
    'a=b',
    'search=%FF',
    'search',
    'search=&state=&scope=&owner=&unused_for=&expires=&order=',
  ])('tolerate what selects nothing: %s', async (query) => {
    await using scene = await serveSome();
    const page = await scene.list(`?${query}`);
    expect(page.status).toBe(200);
    expect(page.text).not.toContain('were ignored');
  });
});
