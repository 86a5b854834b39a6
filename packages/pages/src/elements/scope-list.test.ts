import { deleteService, type ServiceName, updateService } from '@gatehouse/domain/services';
import { givenToken, OPERATOR } from '@gatehouse/domain/testing';
import { expect, test } from 'vitest';
import { NAUGHTY_TEXTS, shownText, structureOf } from '../../testing/naughty-texts.ts';
import { row } from '../../testing/serve-list.ts';
import { READ_ORDERS, serveServices } from '../../testing/serve-services.ts';

const LIST = '/settings/api';

/** The pages that show the scopes of a token with their labels. */
const pagesOf = (id: string) => [`${LIST}/${id}`, `${LIST}/${id}/rotate`];

test('the pages of a token show the labels of its scopes', async () => {
  await using scene = await serveServices();
  const { id } = await scene.issue('Shop', ['*', 'orders:*', 'orders:read']);
  const visitor = await scene.signedIn();
  for (const path of pagesOf(id))
    expect((await visitor.get(path)).text).toContain(
      'Scopes * All scopes of the API orders:* Everything at orders orders:read Read orders',
    );
  const { html } = await visitor.get(LIST);
  expect(html).toContain('<code><span title="Read orders">orders:read</span></code>');
});

test.each([
  ['was removed', (scene: Scene) => scene.remove('orders:read')],
  ['belongs to a deleted service', (scene: Scene) => deleteService(scene.world)(OPERATOR, ORDERS)],
  [
    'belongs to a service that is not open to the account any more',
    (scene: Scene) => updateService(scene.world)(OPERATOR, { name: ORDERS, openTo: { only: [] } }),
  ],
])('a scope that %s is shown as one that allows nothing', async (_, take) => {
  await using scene = await serveServices();
  const { id } = await scene.issue('Shop', ['orders:*', 'orders:read']);
  await take(scene);
  const visitor = await scene.signedIn();
  const scopes = 'orders:* (allows nothing) orders:read (allows nothing)';
  for (const path of [LIST, ...pagesOf(id)]) {
    const { text } = await visitor.get(path);
    expect(text).toContain(scopes);
    expect(text).not.toContain('Read orders');
  }
});

test('the list shows six scopes of a token and how many more there are, and is filtered by any of them', async () => {
  await using scene = await serveServices();
  const names = ['a', 'b', 'c.d', 'e_f', 'g', 'h', 'i', 'j'].map((name) => `many:${name}` as const);
  await scene.service('many', { scopes: Object.fromEntries(names.map((name) => [name, READ_ORDERS])) });
  await scene.issue('Many', names);
  await scene.issue('Few', ['orders:*']);
  const visitor = await scene.signedIn();
  const page = await visitor.get(LIST);
  expect(row(page, 'Many')).toContain('many:a|many:b|many:c.d|many:e_f|many:g|many:h|and 2 more');
  for (const [scope, name, other] of [
    ['many:c.d', 'Many', 'Few'],
    ['many:e_f', 'Many', 'Few'],
    ['orders:*', 'Few', 'Many'],
  ] as const) {
    const filtered = await page.submit('Apply', { Scope: scope });
    expect(row(filtered, name)).toBeDefined();
    expect(row(filtered, other)).toBeUndefined();
    expect(filtered.formWith('Apply').values.get('scope')).toBe(scope);
  }
});

test('labels are text, whatever they hold', async () => {
  const pagesWith = async (labels: readonly string[]) => {
    await using scene = await serveServices();
    const scopes = labels.map((_, index) => `odd:s${index}` as const);
    const words = labels.map((label, index) => [`odd:s${index}`, { label, allows: 'This.' }] as const);
    await scene.service('odd', { scopes: Object.fromEntries(words) });
    const { id } = await scene.issue('Odd', scopes);
    for (const scope of scopes) await givenToken(scene.world, scene.people.admin, { scopes: [scope] });
    const visitor = await scene.signedIn();
    return await Promise.all([LIST, ...pagesOf(id)].map((path) => visitor.get(path)));
  };
  const odd = await pagesWith(NAUGHTY_TEXTS);
  const plain = await pagesWith(NAUGHTY_TEXTS.map(() => 'plain'));
  const structures = (pages: typeof odd) =>
    pages.map(({ html }) =>
      structureOf(html)
        .replace(/[0-9a-f-]{36}/g, 'id')
        .replace(/ aria-label="Token \d+"/g, ''),
    );
  expect(structures(odd)).toEqual(structures(plain));
  const shown = (text: string) => shownText(text).replace(/\s+/g, ' ').trim();
  for (const { text } of odd.slice(1))
    for (const label of NAUGHTY_TEXTS) expect(text).toContain(shown(label));
});

type Scene = Awaited<ReturnType<typeof serveServices>>;

const ORDERS = 'orders' as ServiceName;
