import { inPerson, OPERATOR, unwrap } from '@gatehouse/domain/testing';
import { recordTimeEvents } from '@gatehouse/domain/time-events';
import { setTokenPolicy } from '@gatehouse/domain/token-policy';
import { issueToken, type Token } from '@gatehouse/domain/tokens';
import { expect, test } from 'vitest';
import { servePages } from '../../testing/serve-pages.ts';
import type { Page } from '../../testing/visitor.ts';

const DAY_MS = 86_400_000;

async function serveNoticed() {
  const scene = await servePages();
  const { world, people } = scene;
  const record = recordTimeEvents(world);
  const token = async (name: string, days?: number): Promise<Token> => {
    const expiry = days === undefined ? ('never' as const) : { in: days * DAY_MS };
    const input = { name, format: 'paseto', scopes: ['*'], expiry } as const;
    return unwrap(await issueToken(world)(inPerson(people.admin), input)).record;
  };
  return {
    ...scene,
    token,
    /** Lets a day pass, as often as is said. */
    async pass(days: number) {
      for (let day = 0; day < days; day += 1) {
        while ((await record({ addresses: true })).more);
        world.clock.advance(DAY_MS);
      }
      await record({ addresses: true });
    },
    async use({ id }: Token, from: string) {
      world.usage.used(id, world.clock.now(), from);
      await world.usage.flush();
    },
    async show(path: string): Promise<Page> {
      return (await scene.signedIn()).get(path);
    },
  };
}

/** The sentences of the page, and the texts of their links. */
const sentences = ({ html }: Page) =>
  [...html.matchAll(/<th scope="row">(.*?)<\/th>/gs)].map(([, cell = '']) =>
    cell
      .replace(/<span class="visually-hidden">.*?<\/span>/g, '')
      .replace(/<[^>]*>/g, '')
      .trim(),
  );

test('the activity says what Gatehouse noticed, with links to the tokens', async () => {
  await using scene = await serveNoticed();
  const { world, people, token, pass, use } = scene;
  const expiring = await token('ERP', 40);
  const idle = await token('Old');
  await use(expiring, '192.0.2.7');
  await pass(33);
  await use(expiring, '203.0.113.9');
  await pass(6);
  await use(expiring, '203.0.113.9');
  await pass(2);
  world.usage.refused(expiring.id, world.clock.now(), 'expired');
  const changes = { person: { mustExpire: true } };
  unwrap(await setTokenPolicy(world)(OPERATOR, { accountId: people.account.id, changes }));
  await pass(50);
  const page = await scene.show('/settings/api/activity?change=noticed');
  expect(sentences(page)).toEqual([
    'Gatehouse noticed that nothing used the token Old for 90 days',
    'Gatehouse noticed that 1 token breaks the rules of the account',
    'Gatehouse noticed that the token ERP expired while programs used it',
    'Gatehouse noticed that the token ERP expires in 1 day',
    'The token ERP was used from the new network 203.0.113.0/24',
    'Gatehouse noticed that the token ERP expires in 7 days',
    'Gatehouse noticed that the token ERP expires in 30 days',
  ]);
  expect(page.links.filter(({ href }) => href === expiring.id)).toHaveLength(5);
  expect(page.links.filter(({ href }) => href === idle.id)).toHaveLength(1);
});

test('the page of a token says what Gatehouse noticed about it', async () => {
  await using scene = await serveNoticed();
  const { token, pass, use } = scene;
  const erp = await token('ERP', 40);
  await use(erp, '192.0.2.7');
  await pass(11);
  await use(erp, '203.0.113.9');
  await pass(1);
  const { html } = await scene.show(`/settings/api/${erp.id}`);
  const text = html.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');
  expect(text).toMatch(/Used from a new network: 203\.0\.113\.0\/24 this token 1 day ago —/);
  expect(text).toMatch(/Expires soon: 30 days left Gatehouse/);
});
