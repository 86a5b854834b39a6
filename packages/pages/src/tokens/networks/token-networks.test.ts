import { START } from '@gatehouse/domain/testing';
import { networkTexts } from '@gatehouse/domain/tokens';
import { describe, expect, test } from 'vitest';
import { serveToken } from '../../../testing/serve-token.ts';

const scene = () => serveToken('ERP', 'never');

test('the page of a token leads to its networks, which are filled in from the addresses of use', async () => {
  await using served = await scene();
  const { world, token, path } = served;
  for (const from of ['203.0.113.7', '203.0.113.9', '2001:db8::1']) world.usage.used(token.id, START, from);
  const visitor = await served.signedIn();
  expect((await visitor.get(path)).text).toContain(
    'The token may be used from everywhere. Limit to networks',
  );
  const page = await visitor.get(`${path}/networks`);
  expect(page.text).toContain('Used from 2 networks in 90 days:');
  expect(page.formWith('Save networks').values.get('networks')).toBe('2001:db8::/64\n203.0.113.0/24');
  expect(page.formWith('Save networks').values.get('mode')).toBe('report-only');
});

test('networks are set report-only, then enforced, then removed by an empty list', async () => {
  await using served = await scene();
  const { world, token, path } = served;
  const networks = async () => (await world.tokens.findRecord(token.id))?.networks ?? null;
  const visitor = await served.signedIn();
  const send = async (typed: Readonly<Record<string, string>>) =>
    (await visitor.get(`${path}/networks`)).submit('Save networks', typed);

  const set = await send({ Networks: '203.0.113.0/24\n2001:db8::/32' });
  expect([set.path, set.messages]).toEqual([path, ['The networks of the token were set.']]);
  expect(await networks()).toMatchObject({ mode: 'report-only' });
  expect(set.text).toContain('Networks changed: report-only, 203.0.113.0/24, 2001:db8::/32');
  expect(set.text).toContain('Report-only: requests from outside of 203.0.113.0/24 and 2001:db8::/32');
  world.usage.usedOutside(token.id, START, '198.51.100.7');
  expect((await visitor.get(path)).text).toContain(
    'These requests would be refused: just now from 198.51.100.7 .',
  );
  expect((await visitor.get(`${path}/networks`)).text).toContain('Requests from elsewhere would be refused:');

  const enforced = await send({ 'Effect of the networks': 'enforced' });
  expect(enforced.text).toContain('The token may be used only from 203.0.113.0/24 and 2001:db8::/32 .');
  expect(networkTexts((await networks()) ?? expect.fail())).toEqual(['203.0.113.0/24', '2001:db8::/32']);

  const removed = await send({ Networks: '' });
  expect(removed.messages).toEqual(['The networks were removed. The token may be used from everywhere.']);
  expect(await networks()).toBeNull();
});

describe('networks are not saved', () => {
  test('if one of them is wrong, and the page says what would be right', async () => {
    await using served = await scene();
    const page = await (await served.signedIn()).get(`${served.path}/networks`);
    const again = await page.submit('Save networks', { Networks: '203.0.113.7/24' });
    expect(again.status).toBe(422);
    expect(again.text).toContain('did you mean 203.0.113.0/24?');
    expect(again.formWith('Save networks').values.get('networks')).toBe('203.0.113.7/24');
  });

  test('while a program of an older edition is connected, and the page says why', async () => {
    await using served = await scene();
    served.world.editions.connectOlder();
    const page = await (await served.signedIn()).get(`${served.path}/networks`);
    const again = await page.submit('Save networks', { Networks: '203.0.113.0/24' });
    expect(again.status).toBe(409);
    expect(again.text).toContain('It would accept the token from everywhere, so no networks were set.');
    expect((await served.world.tokens.findRecord(served.token.id))?.networks).toBeNull();
  });
});

test('the page warns if all uses share one address and no proxy is named', async () => {
  await using served = await scene();
  served.world.usage.used(served.token.id, START, '10.0.0.1');
  const visitor = await served.signedIn();
  expect((await visitor.get(`${served.path}/networks`)).text).toContain('All uses share one address.');
  served.world.usage.used(served.token.id, START, '10.9.0.1');
  expect((await visitor.get(`${served.path}/networks`)).text).not.toContain('All uses share one address.');
});
