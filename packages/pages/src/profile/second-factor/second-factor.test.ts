import { setSecondFactorPolicy } from '@gatehouse/domain/second-factor';
import { GOOD, OPERATOR, PASSWORD, unwrap } from '@gatehouse/domain/testing';
import decodeQR from 'qr/decode.js';
import { describe, expect, test } from 'vitest';
import { ANY_PAGES } from '../../../testing/page-paths.ts';
import { servePages } from '../../../testing/serve-pages.ts';
import { withSecondFactor } from '../../../testing/sign-in-with-code.ts';
import { qrCode } from './qr-code.ts';

const PATH = '/settings/second-factor';

/** The pages that a user sees who is signed in, but the one of the enrolment. */
const SETTINGS_PAGES = ANY_PAGES.filter((path) => path.startsWith('/settings') && path !== PATH);

type Scene = Awaited<ReturnType<typeof servePages>>;
type Visitor = Awaited<ReturnType<Scene['signedIn']>>;

/** Reads the secret of a page as an app does, and computes the code of the world's time. */
function codeOn({ world }: Scene, html: string, steps = 0): string {
  const secret = /[?&]secret=([A-Z2-7]+)/.exec(html.replaceAll('&amp;', '&'))?.[1] ?? '';
  const bits = [...secret].map((each) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(each));
  const text = bits.map((value) => value.toString(2).padStart(5, '0')).join('');
  const bytes = text.match(/.{8}/g)?.map((byte) => Number.parseInt(byte, 2)) ?? [];
  const step = Math.floor(world.clock.now() / 30_000) + steps;
  return world.secondFactorSecrets.codeOf(Uint8Array.from(bytes), step);
}

async function setUp(scene: Scene, visitor: Visitor) {
  const shown = await (await visitor.get(PATH)).submit('Set up');
  const done = await shown.submit('Turn on', { Code: codeOn(scene, shown.html) });
  return { shown, done, codes: /<code id="codes">([^<]*)</.exec(done.html)?.[1]?.split('\n') ?? [] };
}

/** Draws the modules of the code in the page as pixels, and reads them. */
function readQr(html: string): string {
  const size = Number(/class="qr" viewBox="0 0 (\d+)/.exec(html)?.[1]);
  const scale = 4;
  const width = size * scale;
  const data = new Uint8Array(width * width * 4).fill(255);
  for (const [, x, y, length] of html.matchAll(/M(\d+) (\d+)h(\d+)v1/g))
    for (let row = 0; row < scale; row += 1)
      for (let column = 0; column < Number(length) * scale; column += 1) {
        const at = ((Number(y) * scale + row) * width + Number(x) * scale + column) * 4;
        data.set([0, 0, 0], at);
      }
  return decodeQR({ width, height: width, data });
}

describe('setting up a second factor', () => {
  test('shows the secret as a QR code, as text and as a link, without a script', async () => {
    await using scene = await servePages();
    const { shown } = await setUp(scene, await scene.signedIn());
    const uri = shown.links.find(({ href }) => href.startsWith('otpauth:'))?.href.replaceAll('&amp;', '&');
    expect(readQr(shown.html)).toBe(uri);
    const { searchParams, pathname } = new URL(uri ?? '');
    expect(decodeURIComponent(pathname)).toBe(`/Gatehouse (127.0.0.1):${GOOD.email}`);
    const grouped = searchParams.get('secret')?.match(/.{4}/g)?.join(' ') ?? '';
    expect(shown.text).toContain(grouped);
    expect(shown.headers.get('cache-control')).toBe('no-store');
  });

  test('takes effect with a code of the app, and shows the recovery codes once', async () => {
    await using scene = await servePages();
    const visitor = await scene.signedIn();
    const { done, codes } = await setUp(scene, visitor);
    expect([done.status, done.heading, codes.length]).toEqual([200, 'Second factor turned on', 10]);
    const after = await visitor.get(PATH);
    expect(after.text).toContain('Recovery codes left 10');
    for (const code of codes) expect(after.html).not.toContain(code);
    const signIn = await scene.visitor().signIn(GOOD);
    expect([signIn.path, signIn.heading]).toEqual(['/sign-in/code', 'Enter the code']);
    const inside = await signIn.submit('Continue', { Code: codes[0] ?? '' });
    expect(inside.messages).toEqual([
      'You used a recovery code. 9 recovery codes are left. See Second factor in your profile for new ones.',
    ]);
  });

  test('a wrong code changes nothing, and shows the same secret again', async () => {
    await using scene = await servePages();
    const visitor = await scene.signedIn();
    const shown = await (await visitor.get(PATH)).submit('Set up');
    const again = await shown.submit('Turn on', { Code: '000000' });
    expect([again.status, again.messages.at(-1)]).toEqual([
      422,
      'The code is wrong. Enter the newest code, and check the clock of the device with the app.',
    ]);
    expect(codeOn(scene, again.html)).toBe(codeOn(scene, shown.html));
    expect((await visitor.get(PATH)).forms.some(({ button }) => button === 'Set up')).toBe(true);
    expect((await again.submit('Turn on', { Code: codeOn(scene, again.html) })).status).toBe(200);
  });

  test('asks for the password again after ten minutes, also between the two steps', async () => {
    await using scene = await servePages();
    const visitor = await scene.signedIn();
    scene.world.clock.advance(11 * 60_000);
    const asked = await (await visitor.get(PATH)).submit('Set up');
    expect(asked.status).toBe(422);
    const shown = await asked.submit('Set up', { Password: PASSWORD });
    expect(shown.heading).toBe('Set up a second factor');
    scene.world.clock.advance(11 * 60_000);
    const again = await shown.submit('Turn on', { Code: codeOn(scene, shown.html) });
    expect(again.status).toBe(422);
    const done = await again.submit('Turn on', {
      Code: codeOn(scene, again.html),
      Password: PASSWORD,
    });
    expect(done.heading).toBe('Second factor turned on');
  });

  test('waits for the end of older servers', async () => {
    await using scene = await servePages();
    scene.world.editions.connectOlder();
    const refused = await (await (await scene.signedIn()).get(PATH)).submit('Set up');
    expect([refused.status, refused.text.includes('of an older version')]).toEqual([409, true]);
  });
});

describe('a user with a second factor', () => {
  test('gives the code with each password, and it works once', async () => {
    await using scene = await servePages();
    const { signedIn, code } = await withSecondFactor(scene);
    const visitor = await signedIn();
    scene.world.clock.advance(11 * 60_000);
    const page = await visitor.get('/settings/account');
    const rename = (typed: Record<string, string>) => page.submit('Rename', { Name: 'Foundry', ...typed });
    expect((await rename({ Password: PASSWORD })).messages.at(-1)).toBe('Code is required.');
    expect((await rename({ Password: PASSWORD, Code: '000000' })).status).toBe(422);
    const done = await rename({ Password: PASSWORD, Code: code() });
    expect(done.messages).toEqual(['The account was renamed.']);
  });

  test('changes the password with the code only', async () => {
    await using scene = await servePages();
    const { signedIn, code } = await withSecondFactor(scene);
    const page = await (await signedIn()).get('/settings/password');
    const typed = {
      'Current password': PASSWORD,
      'New password': 'another horse battery',
      'Confirm new password': 'another horse battery',
    };
    expect((await page.submit('Change password', typed)).messages.at(-1)).toBe('Code is required.');
    const changed = await page.submit('Change password', { ...typed, Code: code() });
    expect(changed.messages).toEqual(['Your password was changed. All your other sessions were ended.']);
  });

  test('gets new recovery codes, and removes it with password and code', async () => {
    await using scene = await servePages();
    const { signedIn, code } = await withSecondFactor(scene);
    const visitor = await signedIn();
    const codes = await (await visitor.get(`${PATH}/recovery-codes`)).submit('Create recovery codes');
    expect(codes.heading).toBe('New recovery codes');
    const page = await (await visitor.get(PATH)).follow('Remove');
    const remove = (typed: Record<string, string>) => page.submit('Remove second factor', typed);
    expect((await remove({ Password: 'wrong', Code: code() })).status).toBe(422);
    const removed = await remove({ Password: PASSWORD, Code: code() });
    expect([removed.path, removed.messages]).toEqual([
      PATH,
      ['Your second factor was removed. You sign in with your password alone.'],
    ]);
    await scene.signedIn();
  });

  test('cannot remove it while the account demands it', async () => {
    await using scene = await servePages();
    const { signedIn, code } = await withSecondFactor(scene);
    const visitor = await signedIn();
    const page = await visitor.get(`${PATH}/remove`);
    const { accountId } = scene.people.admin;
    unwrap(await setSecondFactorPolicy(scene.world)(OPERATOR, { accountId, policy: 'admins' }));
    const kept = await page.submit('Remove second factor', { Password: PASSWORD, Code: code() });
    expect([kept.path, kept.text.includes('so you cannot remove it')]).toEqual([PATH, true]);
    expect((await visitor.get(`${PATH}/remove`)).path).toBe(PATH);
  });
});

test('admins see who has a second factor', async () => {
  await using scene = await servePages();
  const { signedIn } = await withSecondFactor(scene);
  const visitor = await signedIn();
  const { admin, member } = scene.people;
  expect((await visitor.get(`/settings/users/${admin.id}`)).text).toContain('Second factor Set up');
  expect((await visitor.get(`/settings/users/${member.id}`)).text).toContain('Second factor None');
});

describe('an account that demands second factors', () => {
  const demand = async (visitor: Visitor) => {
    const page = await (await visitor.get('/settings/account')).follow('Change who must have one');
    return page.submit('Save', { 'Second factor': 'admins' });
  };

  test('leads its admins to the enrolment from every page and form, and lets them sign out', async () => {
    await using scene = await servePages();
    const visitor = await scene.signedIn();
    const form = await visitor.get('/settings/profile');
    const led = await demand(visitor);
    expect([led.path, led.messages.length > 0 || led.text.includes('demands a second factor')]).toEqual([
      PATH,
      true,
    ]);
    for (const path of SETTINGS_PAGES) {
      const { status, path: shown } = await visitor.get(path);
      // The stream of a first use ends, so that the browser does not ask again.
      expect([path, status === 204 ? PATH : shown]).toEqual([path, PATH]);
      const sent = await visitor.post(path, new URLSearchParams({ form_token: 'forged' }));
      expect([path, sent.status === 405 ? PATH : sent.path]).toEqual([path, PATH]);
    }
    expect((await form.submit('Change name', { Name: 'Eve' })).path).toBe(PATH);
    expect((await scene.world.users.findById(scene.people.admin.id))?.name).toBe(scene.people.admin.name);
    expect((await visitor.get('/settings/api/activity/export?format=csv')).path).toBe(PATH);
    const { done } = await setUp(scene, visitor);
    expect(done.heading).toBe('Second factor turned on');
    expect((await visitor.get('/settings/api')).path).toBe('/settings/api');
  });

  test('does not change anything for members', async () => {
    await using scene = await servePages();
    await demand(await scene.signedIn());
    const { email } = scene.people.member;
    const member = await scene.signedIn({ email, password: GOOD.password });
    expect((await member.get('/settings/profile')).path).toBe('/settings/profile');
    expect((await member.get('/settings/account/second-factor')).status).toBe(403);
  });

  test('an admin who has to enrol can sign out', async () => {
    await using scene = await servePages();
    const visitor = await scene.signedIn();
    await demand(visitor);
    expect((await (await visitor.get(PATH)).submit('Sign out')).messages).toEqual(['You are signed out.']);
  });
});

test('a QR code holds a long address', () => {
  const text = `otpauth://totp/${'long%20'.repeat(60)}?secret=${'A'.repeat(32)}`;
  expect(readQr(`${qrCode(text, 'QR code')}`)).toBe(text);
});
