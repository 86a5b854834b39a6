import { inPerson, PASSWORD, unwrap } from '@gatehouse/domain/testing';
import { updateToken } from '@gatehouse/domain/tokens';
import { expect, test } from 'vitest';
import { NAUGHTY_TEXTS } from '../../../testing/naughty-texts.ts';
import { serveToken } from '../../../testing/serve-token.ts';
import type { Page, Typed } from '../../../testing/visitor.ts';

const NOT_DONE =
  'Your session had ended or was being renewed, so this form was not accepted. Check the form and send it again.';

async function serveLate() {
  const scene = await serveToken('ERP', 'never');
  return {
    ...scene,
    /** Sends a form of the token's page after the session's end, and signs in again. */
    async sendLate(button: string, typed: Typed): Promise<Page> {
      const page = await (await scene.signedIn()).get(scene.path);
      scene.world.clock.advance(31 * 60_000);
      const asked = await page.submit(button, typed);
      expect([asked.status, asked.heading]).toEqual([401, 'Sign in']);
      return asked.submit('Sign in', { Email: scene.people.admin.email, Password: PASSWORD });
    },
  };
}

/** The values of the two forms of a page. */
const filledIn = (page: Page) => [
  page.formWith('Rename').values.get('name'),
  page.formWith('Set expiry').values.get('end'),
];

test.each([
  ['Rename', { Name: 'Wiki "2" <b>' }, ['Wiki "2" <b>', ''], { name: 'Wiki "2" <b>' }],
  [
    'Set expiry',
    { 'Last day': '2998-12-31' },
    [undefined, '2998-12-31'],
    { expiresAt: Date.parse('2999-01-01') },
  ],
])(
  '%s, sent after the session’s end, comes back with what was typed, and is done when it is sent again',
  async (button, typed, [name, end], changed) => {
    await using scene = await serveLate();
    const before = await scene.find();
    const back = await scene.sendLate(button, typed);
    expect([back.status, back.path, back.messages]).toEqual([200, scene.path, [NOT_DONE]]);
    expect(filledIn(back)).toEqual([name ?? before.name, end]);
    expect(await scene.find()).toEqual(before);
    expect((await back.submit(button)).messages).toEqual(['The token was changed.']);
    expect(await scene.find()).toMatchObject(changed);
  },
);

test('what was typed comes back once, and the name that another gave meanwhile is shown', async () => {
  await using scene = await serveLate();
  const back = await scene.sendLate('Set expiry', { 'Last day': '2998-12-31' });
  unwrap(
    await updateToken(scene.world)(inPerson(scene.people.admin), { id: scene.token.id, name: 'Renamed' }),
  );
  const again = await (await scene.signedIn()).get(scene.path);
  expect([filledIn(again), again.messages]).toEqual([['Renamed', ''], []]);
  expect(filledIn(back)[1]).toBe('2998-12-31');
});

test('forms of another session of the user come back filled in, and change nothing', async () => {
  await using scene = await serveLate();
  const page = await (await scene.signedIn()).get(scene.path);
  const other = await scene.signedIn();
  const before = await scene.find();
  for (const [button, typed, shown] of [
    ['Rename', { Name: 'Wiki' }, ['Wiki', '']],
    ['Set expiry', { 'Last day': '2998-12-31' }, [before.name, '2998-12-31']],
  ] as const) {
    const back = await other.post(scene.path, page.fill(button, typed));
    expect([back.status, filledIn(back)]).toEqual([403, shown]);
  }
  expect(await scene.find()).toEqual(before);
});

test.each(NAUGHTY_TEXTS)('the name %j comes back as text', async (text) => {
  await using scene = await serveLate();
  const back = await scene.sendLate('Rename', { Name: text });
  expect([back.status, filledIn(back)]).toEqual([200, [text, '']]);
  expect(back.html.replace(/ value="[^"]*"/g, '')).not.toMatch(/<script>alert|<img|<svg\/|<b>/);
});
