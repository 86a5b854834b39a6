import { replaceInvisible } from '@gatehouse/domain';
import { givenPerson, givenToken, givenUser, inPerson, PASSWORD } from '@gatehouse/domain/testing';
import { addMilliseconds } from '@gatehouse/domain/time';
import { revokeToken, rotateToken, type Token } from '@gatehouse/domain/tokens';
import { describe, expect, test } from 'vitest';
import { done } from '../../testing/done.ts';
import { NAUGHTY_TEXTS } from '../../testing/naughty-texts.ts';
import { servePostgres } from '../../testing/serve-postgres.ts';
import { serveVisitors } from '../../testing/serve-visitors.ts';
import { createVisitor, type Page } from '../../testing/visitor.ts';

const PATH = '/settings/api';
const DAY = 86_400_000;
const BEN = { email: 'ben@acme.example', password: PASSWORD };

async function serveList() {
  const scene = await serveVisitors();
  const { world, people } = scene;
  return {
    ...scene,
    /** Stores a token of Ada's, which expires in so many days. */
    give: (name: string, expiresIn: number | null = null, parts: Partial<Token> = {}) =>
      givenToken(world, people.admin, {
        name,
        createdAt: world.clock.now(),
        expiresAt: expiresIn === null ? null : addMilliseconds(world.clock.now(), expiresIn * DAY),
        ...parts,
      }),
    revoke: async ({ id }: Token) =>
      done(await revokeToken(world)(inPerson(people.admin), { id, reason: null })),
    async list(query = '') {
      return (await scene.signedIn()).get(`${PATH}${query}`);
    },
  };
}

/** The names of the tokens that are listed, in their order. */
const names = ({ html }: Page) =>
  [
    ...html.matchAll(
      /<th scope="row"><a href="\/settings\/api\/[0-9a-f-]{36}"><bdi class="name">(.*?)<\/bdi>/g,
    ),
  ].map(([, name]) => name);

/** What the row of this token says, without exact times. */
const row = ({ html }: Page, name: string) =>
  [...html.matchAll(/<tr>.*?<\/tr>/gs)]
    .map(([line]) => line.replace(/<span class="visually-hidden">.*?<\/span>/g, '').replace(/<[^>]*>/g, '|'))
    .map((line) => line.replace(/\s*\|[|\s]*/g, '|').replace(/^\||\|$/g, ''))
    .find((line) => line.startsWith(`${name}|`));

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
    expect(row(ended, 'Old')).toBe(`Old|Revoked|Ada|ada@acme.example|All scopes|Never|None|just now`);
    expect(ended.html).toContain(`<a href="${PATH}?section=ended" aria-current="page">`);
  });

  test('says of each token whose it is, what it may, when and from where it was used or refused, and its end', async () => {
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
    expect(row(page, 'ERP')).toBe(
      'ERP|Ada|ada@acme.example|me:read|orgs:read|3 minutes ago|from|10.0.0.5|1 day ago|the account was suspended|from|10.0.0.9|in 1 year',
    );
    expect(row(page, 'CI')).toBe(
      'CI|Ada|ada@acme.example|All scopes|3 minutes ago|just now|Not used since|it lacks the scope|in 12 days',
    );
    expect(page.html).toContain(`href="${PATH}/${erp.id}"`);
    expect(page.links.filter(({ text }) => text === 'Create token')).toEqual([
      { href: `${PATH}/new`, text: 'Create token' },
    ]);
    expect(page.html.match(/button-primary/g)).toHaveLength(1);
  });

  test('names a token that is being replaced, and one that does not work though it has not ended', async () => {
    await using scene = await serveList();
    const { world, people } = scene;
    const erp = await scene.give('ERP');
    done(await rotateToken(world)(inPerson(people.admin), { id: erp.id, graceMs: 0 }));
    const page = await scene.list('?order=expiry');
    expect([...page.html.matchAll(/state-warning">(.*?)</g)].map(([, word]) => word)).toEqual([
      'Being replaced',
    ]);
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
    expect(page.links.some(({ text }) => text === 'Active 1,000+')).toBe(true);
  });
});

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

  test('among ended tokens stay among them', async () => {
    await using scene = await serveSome();
    const page = await (await scene.list('?section=ended')).submit('Apply', {
      Search: 'e',
      State: 'revoked',
    });
    expect(names(page)).toEqual(['Ended']);
    expect(page.links.find(({ text }) => text === 'Active 4')?.href).toBe(`${PATH}?search=e`);
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
    'scope=orgs:write',
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
    expect(page.text).toContain(
      `something that it does not know, which was left out: ${replaceInvisible(`${name}=${text}`.slice(0, 80))}`,
    );
  });

  test('of active tokens alone are left out among ended ones', async () => {
    await using scene = await serveSome();
    const page = await scene.list('?section=ended&expires=14d&unused_for=90d');
    expect(names(page)).toEqual(['Ended']);
    expect(page.text).toContain('left out: unused_for=90d and expires=14d');
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
    expect(page.text).not.toContain('left out');
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
      [`${PATH}?state=refused`, '1 token was refused since its last use: Refused'],
    ]);
    expect(names(await page.follow('2 tokens expire within 14 days')).toSorted()).toEqual(['Soon', 'Sooner']);
    expect(names(await page.follow('1 token was not used for 90 days'))).toEqual(['Unused']);
    expect(names(await page.follow('1 token was refused since its last use'))).toEqual(['Refused']);
    expect((await page.follow('1 token was not used for 90 days')).text).not.toContain('Needs attention');
  });

  test('is told of tokens whose owner is disabled', async () => {
    await using scene = await serveVisitors({
      findTokensNeedingAttention: async () => {
        const none = { count: 0, more: false, first: [] };
        return {
          ok: true,
          value: {
            expiring: none,
            unused: none,
            refusedSinceUse: none,
            creatorInactive: { count: 1000, more: true, first: [] },
          },
        };
      },
    });
    await givenToken(scene.world, scene.people.admin);
    const page = await (await scene.signedIn()).get(PATH);
    const link = page.links.find(({ text }) => text.startsWith('1,000+ tokens do not work'));
    expect(link?.href).toBe(`${PATH}?section=ended&state=user_disabled`);
    expect((await page.follow(link?.text ?? '')).text).not.toContain('left out');
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
    expect(page.text).toContain('No token matches');
    expect(names(await page.follow('Clear search and filters'))).toEqual(['ERP']);
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
    expect([page.html.match(/mailto:/g)?.length, page.text.includes('And others.')]).toEqual([20, true]);
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

test('names are text, whatever they hold, and are found by what they begin with', async () => {
  await using scene = await serveList();
  const visitor = await scene.signedIn();
  for (const text of NAUGHTY_TEXTS) await scene.give(text, 5);
  const page = await visitor.get(`${PATH}?order=name`);
  expect(page.status).toBe(200);
  expect(page.html).not.toMatch(
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
    expect(odd.html).not.toMatch(/<script|<img|<svg\/|onerror=alert\(1\)>/);
  }
});

test('on PostgreSQL, the page asks at most four times, whatever is asked for', async () => {
  await using served = await servePostgres();
  const visitor = createVisitor(served.url);
  const { email, password } = served.demo.admin;
  await visitor.signIn({ email, password }, '/sign-in?next=%2Fsettings%2Fpassword');
  const ask = async (query: string) => {
    const before = served.statements();
    const page = await visitor.get(`${PATH}${query}`);
    return { page, asked: served.statements() - before };
  };
  const { page, asked } = await ask('');
  expect([page.status, names(page), asked]).toEqual([200, ['Demo'], 4]);
  for (const query of [
    '?search=demo',
    '?search=x',
    '?order=expiry&expires=never',
    '?section=ended',
    '?state=refused',
    '?owner=x',
  ]) {
    const found = await ask(query);
    expect(found.page.status).toBe(200);
    expect(found.asked, query).toBeLessThanOrEqual(4);
  }
  for (const text of NAUGHTY_TEXTS) {
    expect((await ask(`?${new URLSearchParams({ search: text, owner: text })}`)).page.status, text).toBe(200);
  }
  const member = createVisitor(served.url);
  await member.signIn(served.demo.member, '/sign-in?next=%2Fsettings%2Fpassword');
  const before = served.statements();
  expect((await member.get(PATH)).text).toContain(`Ada ${email}`);
  expect(served.statements() - before).toBe(2);
});
