import { givenPerson, givenToken, givenUser, inPerson, unwrap } from '@gatehouse/domain/testing';
import { rotateToken } from '@gatehouse/domain/tokens';
import { describe, expect, test } from 'vitest';
import { NAUGHTY_TEXTS } from '../../testing/naughty-texts.ts';
import { BEN, DAY, names, PATH, row, serveList } from '../../testing/serve-list.ts';
import { servePages } from '../../testing/serve-pages.ts';

describe('the list', () => {
  test('has active and ended tokens apart, with how many there are of each', async () => {
    await using scene = await serveList();
    for (const name of ['ERP', 'CI']) await scene.give(name);
    await scene.revoke(await scene.give('Old'));
    const page = await scene.list();
    expect([page.status, page.heading, names(page)]).toEqual([200, 'API tokens', ['CI', 'ERP']]);
    expect(page.links.filter(({ text }) => /^(?:Active|Ended) /.test(text))).toEqual([
      { href: PATH, text: 'Active 2' },
      { href: `${PATH}?section=ended`, text: 'Ended 1' },
    ]);
    const ended = await page.follow('Ended 1');
    expect(names(ended)).toEqual(['Old']);
    expect(row(ended, 'Old')).toBe('Old|Revoked|Ada|All scopes of the API|Never|just now');
    expect(ended.html).toContain(`<a href="${PATH}?section=ended" aria-current="page">`);
  });

  test('says of each token whose it is, what it may, when and from where it was used, that it fails, and its end', async () => {
    await using scene = await serveList();
    const { world } = scene;
    const erp = await scene.give('ERP', 400, { scopes: ['me:read', 'orgs:read'] });
    const ci = await scene.give('CI', 13);
    world.usage.refused(erp.id, world.clock.now(), 'account_suspended', '10.0.0.9');
    world.clock.advance(DAY);
    world.usage.used(erp.id, world.clock.now(), '10.0.0.5');
    world.usage.used(ci.id, world.clock.now());
    world.clock.advance(3 * 60_000);
    world.usage.refused(ci.id, world.clock.now(), 'insufficient_scope');
    await world.usage.flush();
    const page = await scene.list();
    expect(row(page, 'ERP')).toBe('ERP|Ada|me:read|orgs:read|3 minutes ago|4 Feb 2027');
    expect(row(page, 'CI')).toBe(
      'CI|Failing: missing scope|Ada|All scopes of the API|3 minutes ago|in 12 days',
    );
    expect(page.html).toMatch(/UTC from 10\.0\.0\.5">3 minutes ago/);
    expect(page.html).toContain(`href="api/${erp.id}"`);
    expect(page.links.filter(({ text }) => text === 'Create token')).toEqual([
      { href: `${PATH}/new`, text: 'Create token' },
    ]);
    expect(page.html.match(/button-primary/g)).toHaveLength(1);
  });

  test('names a token that is being replaced, and one that does not work though it has not ended', async () => {
    await using scene = await serveList();
    const { world, people } = scene;
    const erp = await scene.give('ERP');
    unwrap(await rotateToken(world)(inPerson(people.admin), { id: erp.id, graceMs: 0 }));
    const page = await scene.list('?order=expiry');
    expect([...page.html.matchAll(/state-warning">(.*?)</g)].map(([, word]) => word)).toEqual([
      'Being replaced',
    ]);
  });

  test('tells two owners of one name apart by their addresses', async () => {
    await using scene = await serveList();
    const { world, people } = scene;
    const twin = { accountId: people.account.id, email: 'other@acme.example', name: 'Ada' };
    await givenToken(world, await givenPerson(world, twin), { name: 'CI', createdAt: world.clock.now() });
    await scene.give('ERP');
    const page = await scene.list();
    expect(row(page, 'ERP')).toContain('ERP|Ada|ada@acme.example|');
    expect(row(page, 'CI')).toContain('CI|Ada|other@acme.example|');
  });

  test('is sorted by the heads of its columns, which say so', async () => {
    await using scene = await serveList();
    const { world } = scene;
    const [one, two] = [await scene.give('B', 9), await scene.give('A', 20)];
    for (const { id } of [one, two]) {
      world.usage.used(id, world.clock.now());
      world.clock.advance(DAY);
    }
    await world.usage.flush();
    const page = await scene.list();
    const sorts = ({ html }: { readonly html: string }) =>
      [...html.matchAll(/aria-sort="(\w+)"><a [^>]*>(.*?)</g)].map(([, sort, label]) => `${label} ${sort}`);
    expect([names(page), sorts(page)]).toEqual([['A', 'B'], []]);
    const byName = await page.follow('Name');
    expect([names(byName), sorts(byName)]).toEqual([['A', 'B'], ['Name ascending']]);
    const used = await byName.follow('Last used');
    expect([names(used), sorts(used)]).toEqual([['A', 'B'], ['Last used descending']]);
    const longAgo = await used.follow('Last used');
    expect([names(longAgo), sorts(longAgo)]).toEqual([['B', 'A'], ['Last used ascending']]);
    expect((await longAgo.follow('Last used')).path).toBe(PATH);
    const soon = await (await scene.list('?search=a&order=name')).follow('Expires');
    expect([soon.path, sorts(soon)]).toEqual([`${PATH}?search=a&order=expiry`, ['Expires ascending']]);
  });

  test('says how many tokens it has', async () => {
    await using scene = await serveList();
    await scene.give('ERP');
    expect((await scene.list()).text).toContain('1 token Revoke selected');
    await scene.give('CI');
    expect((await scene.list()).text).toContain('2 tokens Revoke selected');
    expect((await scene.list('?search=erp')).text).toContain('1 token matches Revoke selected');
    expect((await scene.list('?section=ended')).text).not.toContain('Revoke selected');
  });

  test('leads through pages of fifty and back, with all else as it was', async () => {
    await using scene = await serveList();
    for (let index = 100; index < 220; index += 1) await scene.give(`Job ${index}`);
    await scene.give('Other');
    const first = await scene.list('?search=job&order=name&scope=&state=');
    expect(first.text).toContain('120 tokens match');
    expect([names(first).length, names(first)[0]]).toEqual([50, 'Job 100']);
    const second = await first.follow('Next page');
    expect([names(second)[0], second.html.includes('value="job"')]).toEqual(['Job 150', true]);
    const third = await second.follow('Next page');
    expect([names(third).length, names(third)[0]]).toEqual([20, 'Job 200']);
    expect(third.links.some(({ text }) => text === 'Next page')).toBe(false);
    expect(names(await third.follow('Previous page'))).toEqual(names(second));
    const again = await second.follow('Previous page');
    expect(names(again)).toEqual(names(first));
    expect(again.links.some(({ text }) => text === 'Previous page')).toBe(false);
  });

  test('counts up to a thousand', async () => {
    await using scene = await serveList();
    for (let index = 0; index <= 1000; index += 1) await scene.give(`Job ${index}`);
    const page = await scene.list('?search=job');
    expect(page.text).toContain('1,000+ tokens match');
    const tabs = ({ links }: typeof page) =>
      links.map(({ text }) => text).filter((text) => /^Active/.test(text));
    // A search has its own number of results; the numbers of all tokens beside it would not fit.
    expect([tabs(page), tabs(await scene.list())]).toEqual([['Active'], ['Active 1,000+']]);
  });
});

describe('what needs attention', () => {
  test('stands on top in a line each, with a link to just these tokens', async () => {
    await using scene = await serveList();
    const { world, people } = scene;
    await scene.give('Unused');
    world.clock.advance(91 * DAY);
    const bob = await givenPerson(world, { accountId: people.account.id, email: 'bob@acme.example' });
    for (const [name, days] of [
      ['Soon', 13],
      ['Sooner', 2],
      ['Later', 15],
    ] as const)
      await scene.give(name, days);
    const refused = await scene.give('Refused');
    world.usage.refused(refused.id, world.clock.now(), 'insufficient_scope');
    await world.usage.flush();
    await givenToken(world, bob, { name: 'Bobs', createdAt: world.clock.now() });
    const page = await scene.list();
    expect(
      [...page.html.matchAll(/<li><a href="(\/settings\/api\?[^"]*)">(.*?)<\/span><\/li>/gs)].map(
        ([, href, text]) => [href, text?.replace(/<[^>]*>/g, '')],
      ),
    ).toEqual([
      [`${PATH}?expires=14d`, '2 tokens expire within 14 days: Sooner, Soon'],
      [`${PATH}?unused_for=90d`, '1 token was not used for 90 days: Unused'],
      [`${PATH}?state=refused`, '1 token was refused after its last use: Refused'],
    ]);
    expect(names(await page.follow('2 tokens expire within 14 days')).toSorted()).toEqual(['Soon', 'Sooner']);
    expect(names(await page.follow('1 token was not used for 90 days'))).toEqual(['Unused']);
    expect(names(await page.follow('1 token was refused after its last use'))).toEqual(['Refused']);
    expect((await page.follow('1 token was not used for 90 days')).text).not.toContain('Needs attention');
  });

  test('is told of tokens whose owner is disabled', async () => {
    await using scene = await servePages({
      useCases: {
        findTokensNeedingAttention: async () => {
          const none = { count: 0, more: false, first: [] };
          return {
            ok: true,
            value: {
              expiring: none,
              unused: none,
              refusedSinceUse: none,
              overPolicy: none,
              creatorInactive: { count: 1000, more: true, first: [] },
            },
          };
        },
      },
    });
    await givenToken(scene.world, scene.people.admin);
    const page = await (await scene.signedIn()).get(PATH);
    const link = page.links.find(({ text }) => text.startsWith('1,000+ tokens do not work'));
    expect(link?.href).toBe(`${PATH}?section=ended&state=user_disabled`);
    expect((await page.follow(link?.text ?? '')).text).not.toContain('were ignored');
  });

  test('is nothing where all is well', async () => {
    await using scene = await serveList();
    await scene.give('ERP');
    expect((await scene.list()).text).not.toContain('Needs attention');
  });
});

describe('an empty list says what to do', () => {
  test('before there are tokens', async () => {
    await using scene = await serveList();
    const page = await scene.list();
    expect(page.text).toContain('There are no tokens yet');
    expect(page.forms.map(({ button }) => button)).toEqual(['Sign out']);
    expect(page.html).not.toContain('<table');
  });

  test('where nothing matches, which a link clears', async () => {
    await using scene = await serveList();
    await scene.give('ERP');
    const page = await scene.list('?search=x&expires=never');
    expect(page.text).toContain('No active token matches');
    expect(names(await page.follow('Clear search and filters'))).toEqual(['ERP']);
  });

  test('where nothing active matches, with the same search among ended tokens', async () => {
    await using scene = await serveList();
    await scene.give('ERP');
    const onlyActive = await scene.list('?search=laptop');
    expect(onlyActive.links.map(({ text }) => text)).not.toContain('Search ended tokens');
    await scene.revoke(await scene.give('Laptop'));
    const page = await scene.list('?search=laptop&expires=never&order=name');
    const ended = await page.follow('Search ended tokens');
    expect([ended.path, names(ended)]).toEqual([
      '/settings/api?section=ended&search=laptop&order=name',
      ['Laptop'],
    ]);
    // A filter that ended tokens do not have would be lost.
    const filtered = await scene.list('?expires=7d');
    expect(filtered.text).toContain('No active token matches');
    expect(filtered.links.map(({ text }) => text)).not.toContain('Search ended tokens');
  });

  test('where all tokens have ended, or none', async () => {
    await using scene = await serveList();
    const token = await scene.give('ERP');
    expect((await scene.list('?section=ended')).text).toContain('No token has ended');
    await scene.revoke(token);
    expect((await scene.list()).text).toContain('No token is active');
  });
});

describe('a member', () => {
  test('is told who the admins are, and of no token', async () => {
    await using scene = await serveList();
    await scene.give('ERP');
    const page = await (await scene.signedIn(BEN)).get(`${PATH}?state=x`);
    expect([page.status, page.heading]).toEqual([200, 'API tokens']);
    expect(page.text).toContain('Your admins Ada ada@acme.example');
    expect(page.html).toContain('href="mailto:ada@acme.example"');
    expect(page.html).not.toMatch(/ERP|Create token|\/settings\/api\//);
  });

  test('is told of twenty admins, and that there are more', async () => {
    await using scene = await serveList();
    for (let count = 0; count < 20; count += 1) await givenUser(scene.world, scene.people.account.id);
    const page = await (await scene.signedIn(BEN)).get(PATH);
    expect([page.html.match(/mailto:/g)?.length, page.text.includes('Your account has more admins')]).toEqual(
      [20, true],
    );
  });
});

test('another account’s tokens are not there, by no filter', async () => {
  await using scene = await serveList();
  const eve = await givenPerson(scene.world, {
    accountId: scene.people.foreign.accountId,
    email: 'eve@globex.example',
  });
  await givenToken(scene.world, eve, { name: 'Foreign' });
  for (const query of ['', '?search=foreign', '?owner=eve@globex.example', '?section=ended']) {
    expect((await scene.list(query)).text).not.toContain('Foreign');
  }
});

/** The page without the tags of our own scripts. */
const withoutScripts = ({ html }: { readonly html: string }) =>
  html.replace(/<script type="module" src="\/assets\/[a-z-]+[0-9a-f]{12}\.js"><\/script>/g, '');

test('names are text, whatever they hold, and are found by what they begin with', async () => {
  await using scene = await serveList();
  const visitor = await scene.signedIn();
  for (const text of NAUGHTY_TEXTS) await scene.give(text, 5);
  const page = await visitor.get(`${PATH}?order=name`);
  expect(page.status).toBe(200);
  expect(withoutScripts(page)).not.toMatch(
    /<script|<img|<svg\/|onerror=alert\(1\)>|[\u200B\u202A-\u202E\u2066-\u2069\uFEFF]/,
  );
  expect(names(page)).toHaveLength(NAUGHTY_TEXTS.length);
  for (const text of NAUGHTY_TEXTS) {
    const found = await visitor.get(`${PATH}?${new URLSearchParams({ search: text, order: 'name' })}`);
    expect([found.status, names(found).length > 0], text).toEqual([200, true]);
    expect(found.fill('Apply').get('search')).toBe(text);
    const odd = await visitor.get(
      `${PATH}?${new URLSearchParams({ order: text, state: text, owner: text, after: text })}`,
    );
    expect([odd.status, odd.heading], text).toEqual([200, 'API tokens']);
    expect(withoutScripts(odd)).not.toMatch(/<script|<img|<svg\/|onerror=alert\(1\)>/);
  }
});
