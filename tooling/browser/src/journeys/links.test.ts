import { givenInvitationCode } from '@gatehouse/pages/testing';
import { serveServices } from '@gatehouse/pages/testing/serve-services';
import { expect, it } from 'vitest';
import { newPage, signIn } from '../index.ts';

const NOOR = { email: 'noor@acme.example', password: 'another horse battery' };

it.each([true, false])(
  'a person opens the link of an invitation, sets a password and signs in (scripts: %s)',
  async (javaScript) => {
    await using scene = await serveServices();
    const code = await givenInvitationCode(scene, NOOR.email);
    await using page = await newPage({ javaScript });
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url(), request.headers().referer ?? ''));
    await page.goto(`${scene.url}/invitation#${code}`);
    // The script takes the code out of the address, so that neither the history nor a picture of the screen has it.
    if (javaScript) await page.waitForURL(`${scene.url}/invitation`);
    else await page.getByLabel('Code').fill(code);
    expect(await page.getByLabel('Code').inputValue()).toBe(code);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText(`Join Acme as a member with the address ${NOOR.email}.`).waitFor();
    await page.getByLabel('New password', { exact: true }).fill(NOOR.password);
    await page.getByLabel('Confirm new password').fill(NOOR.password);
    await page.getByRole('button', { name: 'Join' }).click();
    await page.getByText('You joined the account. Sign in with your new password.').waitFor();
    expect(asked.filter((text) => text.includes(code))).toEqual([]);
    await signIn(page, scene, NOOR);
  },
);

it('a link that is opened in a tab which already shows the page fills the code in, and says so', async () => {
  await using scene = await serveServices();
  const first = await givenInvitationCode(scene, NOOR.email);
  const second = await givenInvitationCode(scene, 'kim@acme.example');
  await using page = await newPage();
  await page.goto(`${scene.url}/invitation`);
  await page.goto(`${scene.url}/invitation#${first}`);
  await page.getByText('Your code is filled in. Continue.').waitFor();
  expect([page.url(), await page.getByLabel('Code').inputValue()]).toEqual([
    `${scene.url}/invitation`,
    first,
  ]);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByText(NOOR.email).waitFor();
  // The second form asks for no code, so the first one opens again.
  await page.goto(`${scene.url}/invitation#${second}`);
  await page.waitForURL(`${scene.url}/invitation`);
  await page.getByText('Your code is filled in.').waitFor();
  expect(await page.getByLabel('Code').inputValue()).toBe(second);
});
