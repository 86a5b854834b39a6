import type { NarrowScope } from '@gatehouse/domain/access';
import { deleteService } from '@gatehouse/domain/services';
import { OPERATOR, PASSWORD, unwrap } from '@gatehouse/domain/testing';
import { issueToken } from '@gatehouse/domain/tokens';
import { describe, expect, test, vi } from 'vitest';
import { NAUGHTY_TEXTS, shownText, structureOf } from '../../../testing/naughty-texts.ts';
import { servePages } from '../../../testing/serve-pages.ts';
import { READ_ORDERS, serveServices } from '../../../testing/serve-services.ts';
import type { Page } from '../../../testing/visitor.ts';

const PATH = '/settings/api/new';
const ORDERS = { Name: 'Shop', 'Read orders orders:read': true };
const GONE = 'A scope that you chose does not exist any more. Check your choice, and send the form again.';

/** The legends of the form, in their order. */
const legends = ({ html }: Page) =>
  [...html.matchAll(/<legend>(.*?)<\/legend>/g)].map(([, text = '']) => text.replace(/<[^>]*>/g, ''));

const boxes = ({ html }: Page) =>
  [...html.matchAll(/ name="scopes" value="([^"]*)"/g)].map(([, scope]) => scope);

describe('the scopes of services', () => {
  test('are offered below those of Gatehouse, in a group for each service, with all scopes as the last box', async () => {
    await using scene = await serveServices();
    await scene.service('billing', { scopes: { 'billing:read': { label: 'Read bills', allows: 'Bills.' } } });
    const page = await (await scene.signedIn()).get(PATH);
    expect(legends(page)).toEqual(['Scopes', 'API of Gatehouse', 'Service billing', 'Service orders']);
    expect(boxes(page)).toEqual([
      ...['me:read', 'orgs:read', 'shift-notes:read', '*'],
      ...['billing:read', 'billing:*', 'orders:read', 'orders:*'],
    ]);
    for (const text of [
      'These scopes, also Everything, allow nothing at a service.',
      'Service orders Takes orders. Read orders orders:read Orders with their positions.',
      'All scopes of the service orders, those of today and those that are added later.',
    ])
      expect(page.text).toContain(text);
  });

  test('change nothing on the form of a server without services', async () => {
    await using scene = await servePages();
    const page = await (await scene.signedIn()).get(PATH);
    expect(legends(page)).toEqual(['Scopes']);
    expect(page.text).not.toMatch(/\bservices?\b(?! accounts)/i);
  });

  test('are given to the token, which is tried at the route for gateways', async () => {
    await using scene = await serveServices();
    const visitor = await scene.signedIn();
    const made = await (await visitor.get(PATH)).submit('Create token', ORDERS);
    expect([made.status, made.heading]).toEqual([200, 'Token created']);
    expect(made.text).toContain(`${scene.url}/api/v1/verify?scope=orders:read`);
    expect(made.text).toContain('Scopes orders:read Read orders');
    const all = { Name: 'All', 'Everything at orders orders:*': true };
    const everything = await (await visitor.get(PATH)).submit('Create token', all);
    expect(everything.text).toContain(`${scene.url}/api/v1/verify?scope=orders:read`);
    const both = { ...all, Name: 'Both', 'Read the owner of the token me:read': true };
    expect((await (await visitor.get(PATH)).submit('Create token', both)).text).toContain('/api/v1/me.json');
    const tokens = await scene.world.tokens.list({ now: scene.world.clock.now(), limit: 9 });
    expect(Object.fromEntries(tokens.map(({ name, scopes }) => [name, scopes]))).toEqual({
      Shop: ['orders:read'],
      All: ['orders:*'],
      Both: ['me:read', 'orders:*'],
    });
  });

  test('can all be chosen at once, also a hundred of one service', async () => {
    await using scene = await serveServices();
    const scopes = Array.from({ length: 100 }, (_, index): NarrowScope => `large:do-${index}`);
    const words = (scope: string) => ({ label: `Label of ${scope}`, allows: 'This.' });
    await scene.service('large', {
      scopes: Object.fromEntries(scopes.map((scope) => [scope, words(scope)])),
    });
    const typed = Object.fromEntries(scopes.map((scope) => [`Label of ${scope} ${scope}`, true]));
    const page = await (await scene.signedIn()).get(PATH);
    expect((await page.submit('Create token', { Name: 'Large', ...typed })).heading).toBe('Token created');
  });

  test('are not offered if they were removed, or if their service was deleted or has none', async () => {
    await using scene = await serveServices();
    await scene.service('empty');
    const page = async () => (await scene.signedIn()).get(PATH);
    expect(legends(await page())).toEqual(['Scopes', 'API of Gatehouse', 'Service orders']);
    await scene.remove('orders:read');
    expect(legends(await page())).toEqual(['Scopes']);
    const gone = await scene.service('gone', { scopes: { 'gone:read': READ_ORDERS } });
    expect(legends(await page())).toContain('Service gone');
    unwrap(await deleteService(scene.world)(OPERATOR, gone));
    expect(legends(await page())).toEqual(['Scopes']);
  });

  test('of a service that is not open to the account are neither shown nor given', async () => {
    await using scene = await serveServices();
    const other = scene.people.foreign.accountId;
    const scopes = { 'secret:read': { label: 'Read secrets', allows: 'Secrets.' } };
    await scene.service('secret', { scopes, description: 'Of Globex.', openTo: { only: [other] } });
    const visitor = await scene.signedIn();
    const page = await visitor.get(PATH);
    expect(page.html).not.toMatch(/secret|Globex/i);
    const values = page.fill('Create token', { ...ORDERS });
    values.append('scopes', 'secret:read');
    const refused = await visitor.post(PATH, values);
    expect([refused.status, refused.messages.at(-1)]).toEqual([422, GONE]);
    expect(refused.html).not.toMatch(/secret|Globex/i);
    expect(await scene.world.tokens.list({ now: scene.world.clock.now(), limit: 9 })).toEqual([]);
  });

  test('are shown to no member', async () => {
    await using scene = await serveServices();
    const { email } = scene.people.member;
    const member = await scene.signedIn({ email, password: PASSWORD });
    for (const path of [PATH, `${PATH}?scope=orders:read`, '/settings/api']) {
      const page = await member.get(path);
      expect(page.html).not.toContain('orders');
    }
  });
});

describe('a scope that was removed while the form was open', () => {
  test('is told of at its field, and what was typed is kept', async () => {
    await using scene = await serveServices();
    const form = await (await scene.signedIn()).get(PATH);
    await scene.remove('orders:read');
    const typed = { ...ORDERS, 'Read organizations orgs:read': true, Expires: '30d' };
    const again = await form.submit('Create token', typed);
    expect([again.status, again.messages]).toEqual([422, [`Check one field. ${GONE}`, GONE]]);
    const { values } = again.formWith('Create token');
    expect(['name', 'expires'].map((name) => values.get(name))).toEqual(['Shop', '30d']);
    expect(values.getAll('scopes')).toEqual(['orgs:read']);
    expect((await again.submit('Create token')).heading).toBe('Token created');
  });

  test('is no longer offered, also if it was removed while the form was being read', async () => {
    const gate = vi.fn();
    await using scene = await serveServices({
      useCases: {
        issueToken: async (...input) => {
          await gate();
          return issueToken(scene.world)(...input);
        },
      },
    });
    gate.mockImplementationOnce(() => scene.remove('orders:read'));
    const again = await (await (await scene.signedIn()).get(PATH)).submit('Create token', ORDERS);
    expect([again.status, again.messages.at(-1)]).toEqual([422, GONE]);
    expect(boxes(again)).not.toContain('orders:read');
  });
});

test('a link to the form can ask for scopes of services; others are ignored', async () => {
  await using scene = await serveServices();
  const query = 'scope=orders:read&scope=orders:*&scope=orders:write&scope=gone:*&scope=orders:read:all';
  const page = await (await scene.signedIn()).get(`${PATH}?${query}`);
  expect(page.formWith('Create token').values.getAll('scopes')).toEqual(['orders:read', 'orders:*']);
  for (const scope of ['orders:write', 'gone:*', 'orders:read:all'])
    expect(page.text).toContain(`“ ${scope} ”`);
});

test('the words of services are text, whatever they hold', async () => {
  const formWith = async (texts: readonly string[]) => {
    await using scene = await serveServices();
    await scene.service('odd', {
      description: texts.join('\n'),
      scopes: Object.fromEntries(
        texts.map((text, index) => [`odd:s${index}`, { label: text, allows: `${text}\n${text}` }]),
      ),
    });
    const query = texts.map((_, index) => `scope=odd:s${index}`).join('&');
    return await (await scene.signedIn()).get(`${PATH}?${query}`);
  };
  const odd = await formWith(NAUGHTY_TEXTS);
  expect(structureOf(odd.html)).toBe(structureOf((await formWith(NAUGHTY_TEXTS.map(() => 'plain'))).html));
  const shown = (text: string) => shownText(text).replace(/\s+/g, ' ').trim();
  for (const text of NAUGHTY_TEXTS) expect(odd.text).toContain(`${shown(text)} odd:s`);
  expect(odd.formWith('Create token').values.getAll('scopes')).toHaveLength(NAUGHTY_TEXTS.length);
});
