import type { Locator } from 'playwright-core';
import decodeQR from 'qr/decode.js';
import { expect, test } from 'vitest';
import { newPage } from '../index.ts';
import { codeOf } from './totp.ts';
import { worldOfTests } from './world-of-tests.ts';

const world = worldOfTests();

/** Reads a QR code from the pixels on the screen, as the camera of a phone does. */
async function scan(drawn: Locator): Promise<string> {
  const png = (await drawn.screenshot()).toString('base64');
  await using blank = await newPage();
  const pixels: { width: number; height: number; data: number[] } = await blank.evaluate(`(async () => {
    const image = new Image();
    image.src = 'data:image/png;base64,${png}';
    await image.decode();
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [image.width, image.height];
    const context = canvas.getContext('2d');
    context.drawImage(image, 0, 0);
    const { data } = context.getImageData(0, 0, image.width, image.height);
    return { width: image.width, height: image.height, data: [...data] };
  })()`);
  return decodeQR({ ...pixels, data: Uint8Array.from(pixels.data) });
}

test.each(['light', 'dark'] as const)(
  'a user scans the code, turns the second factor on and signs in with it, without scripts, %s',
  async (colorScheme) => {
    const { url, command, acme } = world();
    const person = { email: `scan-${colorScheme}@acme.example`, password: 'a heavy press, twice' };
    const { account_id } = JSON.parse(await command(['user', 'show', acme.admin.email, '--json']));
    const options = [
      '--account',
      `${account_id}`,
      '--email',
      person.email,
      '--name',
      'Sam',
      '--role',
      'member',
    ];
    await command(['user', 'create', ...options, '--password-stdin'], `${person.password}\n`);

    await using page = await newPage({ javaScript: false, colorScheme });
    const press = (name: string) => page.getByRole('button', { name }).click();
    const code = page.getByRole('textbox', { name: 'Code' });
    async function givePassword(path: string) {
      await page.goto(new URL(path, url).href);
      await page.getByLabel('Email').fill(person.email);
      await page.getByLabel('Password').fill(person.password);
      await press('Sign in');
    }
    await givePassword('/sign-in?next=/settings/second-factor');
    await press('Set up');
    const uri = new URL(await scan(page.locator('svg.qr')));
    const secret = uri.searchParams.get('secret') ?? '';
    expect(((await page.locator('#secret').textContent()) ?? '').replaceAll(' ', '')).toBe(secret);
    await code.fill(codeOf(secret));
    await press('Turn on');
    const recoveryCodes = ((await page.locator('#codes').textContent()) ?? '').split('\n');
    expect(recoveryCodes).toHaveLength(10);
    await press('Sign out');

    await givePassword('/sign-in?next=/settings/profile');
    expect(new URL(page.url()).pathname).toBe('/sign-in/code');
    await code.fill(codeOf(secret));
    await press('Continue');
    // The code turned the second factor on, so it is used, unless the next step has begun since.
    if (new URL(page.url()).pathname === '/sign-in/code') {
      await code.fill(recoveryCodes[0] ?? '');
      await press('Continue');
    }
    expect(new URL(page.url()).pathname).toBe('/settings/profile');
  },
);
