import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { newPage } from '../index.ts';
import { forgetPassword } from './forget-password.ts';
import { enter } from './form-requests.ts';
import { open, worldOfTests } from './world-of-tests.ts';

const world = worldOfTests();

/** Opens the form of a new token, which asks for the password again, and fills it in. */
async function fillIn(page: Page, name: string): Promise<void> {
  const { admin } = world().globex;
  await enter(page, world(), admin);
  await forgetPassword(world(), admin);
  await open(page, world(), '/settings/api/new?scope=me:read');
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('Password').fill(admin.password);
}

/** The answer is so slow that without the script, the browser sends the form a second time. */
const SLOWLY = { delay: 120 };

it('a double click on a form that asks for the password makes one token, and shows it', async () => {
  await using page = await newPage();
  await fillIn(page, 'Double click');
  await page.getByRole('button', { name: 'Create token' }).dblclick(SLOWLY);
  await page.getByRole('heading', { name: 'Token created' }).waitFor();
});

it('without JavaScript, it signs no one out without a word, and loses nothing', async () => {
  await using page = await newPage({ javaScript: false });
  const name = 'Double click without JavaScript';
  await fillIn(page, name);
  await page.getByRole('button', { name: 'Create token' }).dblclick(SLOWLY);
  // The browser may show either answer, and the first request may have come to any point.
  const made = page.getByText(/Copy the token now|This token was already created/);
  const lost = page.getByText('Your session was renewed, but this browser did not receive the new cookie.');
  await made.or(lost).waitFor();
  if (await made.isVisible()) return;
  const { admin } = world().globex;
  await page.getByLabel('Email').fill(admin.email);
  await page.getByLabel('Password').fill(admin.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  expect(await page.getByLabel('Name').inputValue()).toBe(name);
});
