import { givenToken, OPERATOR, unwrap } from '@gatehouse/domain/testing';
import { setTokenFloor } from '@gatehouse/domain/token-policy';
import { expect, test } from 'vitest';
import { asMember } from '../../../testing/as-member.ts';
import { servePages } from '../../../testing/serve-pages.ts';

const RULES = '/settings/account/rules';
const PEOPLE = `${RULES}/people`;
const DAY = 86_400_000;

type Scene = Awaited<ReturnType<typeof servePages>>;

const rulesIn = async ({ world, people }: Scene) =>
  (await world.tokenPolicies.find(people.admin.accountId))?.own;

test('an admin sets the rules for the tokens of people, and those of service accounts stay', async () => {
  await using scene = await servePages();
  const before = await rulesIn(scene);
  const visitor = await scene.signedIn();
  const page = await visitor.get(PEOPLE);
  expect(page.heading).toBe('Token rules for people');
  const typed = {
    'Longest lifetime': '30d',
    'Default lifetime': '7d',
    Networks: 'required',
    'Confirmation by an identity provider': '7d',
  };
  const saved = await page.submit('Save rules', typed);
  expect([saved.path, saved.messages]).toEqual([
    RULES,
    ['The rules were changed. The expiry of tokens that exist did not change.'],
  ]);
  expect(await rulesIn(scene)).toEqual({
    service: before?.service,
    person: {
      mustExpire: true,
      maxLifetimeMs: 30 * DAY,
      scopes: null,
      mustHaveNetworks: true,
      defaultLifetimeMs: 7 * DAY,
      confirmWithinMs: 7 * DAY,
    },
  });
  expect(saved.text).toContain('Confirmation by an identity provider Within 7 days of the last sign-in');
  expect(saved.text).toContain('Networks Required, and enforced');
  const loosened = await (await visitor.get(PEOPLE)).submit('Save rules', { Networks: 'optional' });
  expect(loosened.text).not.toContain('Required, and enforced');
});

test('a default that is longer than the longest lifetime is refused at its field', async () => {
  await using scene = await servePages();
  const before = await rulesIn(scene);
  const page = await (await scene.signedIn()).get(PEOPLE);
  for (const standard of ['90d', 'never']) {
    const refused = await page.submit('Save rules', {
      'Longest lifetime': '30d',
      'Default lifetime': standard,
    });
    expect(refused.status).toBe(422);
    expect(refused.html).toContain('href="#standard"');
  }
  expect(await rulesIn(scene)).toEqual(before);
});

test('the page tells the limits of the operator, and which tokens break the rules', async () => {
  await using scene = await servePages();
  await givenToken(scene.world, scene.people.admin, { name: 'Endless' });
  const visitor = await scene.signedIn();
  expect((await visitor.get(RULES)).text).not.toContain('Set by the operator');
  unwrap(await setTokenFloor(scene.world)(OPERATOR, { person: { maxLifetimeMs: 365 * DAY } }));
  const page = await visitor.get(RULES);
  expect(page.text).toContain('Set by the operator');
  const listed = await page.follow('1 API token breaks these rules.');
  expect(listed.text).toContain('Endless');
  const token = await listed.follow('Endless');
  expect(token.text).toContain('The token breaks the token rules that the account has now.');
  expect((await visitor.get('/settings/api')).text).toContain(
    '1 token breaks the token rules of the account',
  );
});

test('a member and an unknown kind of holder get no page', async () => {
  await using scene = await servePages();
  const member = await asMember(scene);
  for (const path of [RULES, PEOPLE]) expect((await member.get(path)).status).toBe(403);
  expect((await (await scene.signedIn()).get(`${RULES}/robots`)).status).toBe(404);
});

test('a new token is offered only what the rules allow, with the default of the account', async () => {
  await using scene = await servePages();
  const visitor = await scene.signedIn();
  const typed = {
    'Longest lifetime': '60d',
    'Default lifetime': '30d',
    'Read organizations orgs:read': true,
  };
  await (await visitor.get(PEOPLE)).submit('Save rules', typed);
  const { html } = await visitor.get('/settings/api/new');
  expect(html).toContain('<option value="30d" selected>');
  expect(html).toContain('value="60d"');
  for (const refused of ['value="90d"', 'value="365d"', 'value="never"', 'value="me:read"', 'value="*"'])
    expect(html).not.toContain(refused);
});

test('if networks are demanded, the form for a new token asks for them, and the token keeps them', async () => {
  await using scene = await servePages();
  const visitor = await scene.signedIn();
  await (await visitor.get(PEOPLE)).submit('Save rules', { Networks: 'required' });
  const form = await visitor.get('/settings/api/new');
  expect(form.html).toContain('<details class="field" open>');
  expect(form.html).not.toContain('name="mode"');
  const typed = { Name: 'ERP', 'Everything *': true };
  const refused = await form.submit('Create token', typed);
  expect([refused.status, refused.text]).toEqual([
    422,
    expect.stringContaining('The rules of your account demand that tokens have networks'),
  ]);
  const made = await refused.submit('Create token', { ...typed, Networks: '203.0.113.0/24' });
  expect([made.status, made.heading]).toEqual([200, 'Token created']);
  const networks = await visitor.get(`${(await made.follow('View token')).path}/networks`);
  const kept = await networks.submit('Save networks', { Networks: '' });
  expect([kept.status, kept.html]).toEqual([422, expect.stringContaining('href="#networks"')]);
});
