import { serveServices } from '@gatehouse/pages/testing/serve-services';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { findViolations, newPage, signIn } from '../index.ts';
import { tabTo } from './keyboard.ts';

const ADA = { email: 'ada@acme.example', password: 'correct horse battery' };

async function serveThree() {
  const scene = await serveServices();
  for (const name of ['ERP', 'CI', 'Wiki']) await scene.issue(name, ['orgs:read']);
  return scene;
}

const revoke = (page: Page) => page.getByRole('button', { name: /^Revoke selected/ });
const box = (page: Page, name: string) => page.getByRole('checkbox', { name, exact: true });

it('each row has a menu, which opens by mouse and by keyboard, and closes by Escape', async () => {
  await using scene = await serveThree();
  await using page = await newPage();
  await signIn(page, scene, ADA);
  const more = page.getByRole('button', { name: 'Actions: CI' });
  const href = await page.getByRole('link', { name: 'CI', exact: true }).getAttribute('href');
  const menu = page.locator('.menu');
  expect(await menu.isVisible()).toBe(false);
  await more.click();
  expect(await menu.locator('a').allTextContents()).toEqual(['View', 'Rotate', 'Revoke']);
  expect(await findViolations(page)).toEqual([]);
  await page.setViewportSize({ width: 320, height: 700 });
  await page.keyboard.press('Escape');
  await more.click();
  expect(await findViolations(page)).toEqual([]);
  await page.keyboard.press('Escape');
  expect(await menu.isVisible()).toBe(false);

  await tabTo(page, more);
  await page.keyboard.press('Enter');
  await page.keyboard.press('Escape');
  expect([await menu.isVisible(), await more.and(page.locator(':focus')).count()]).toEqual([false, 1]);
  await page.keyboard.press('Enter');
  await tabTo(page, menu.getByRole('link', { name: 'Rotate' }));
  await page.keyboard.press('Enter');
  await page.waitForURL(`**/settings/${href}/rotate`);
});

it('the menu of a token that is being replaced does not offer to rotate it', async () => {
  await using scene = await serveThree();
  const old = await scene.issue('Payroll', ['orgs:read']);
  await scene.rotate(old);
  await using page = await newPage();
  await signIn(page, scene, ADA);
  const menuOf = async (row: RegExp) => {
    await page.getByRole('row', { name: row }).getByRole('button').click();
    const shown = await page.locator('.menu a:visible').allTextContents();
    await page.keyboard.press('Escape');
    return shown;
  };
  expect(await menuOf(/Being replaced/)).toEqual(['View', 'Revoke']);
  expect(await menuOf(/CI/)).toEqual(['View', 'Rotate', 'Revoke']);
});

it('rows are selected, all at once too, and the button says how many there are', async () => {
  await using scene = await serveThree();
  await using page = await newPage();
  await signIn(page, scene, ADA);
  expect(await revoke(page).isDisabled()).toBe(true);
  const all = page.getByRole('checkbox', { name: 'Select all' });
  await all.check();
  expect(await revoke(page).textContent()).toBe('Revoke selected (3)');
  await box(page, 'ERP').uncheck();
  expect([await revoke(page).textContent(), await all.isChecked()]).toEqual(['Revoke selected (2)', false]);
  await revoke(page).click();
  await page.getByRole('button', { name: 'Revoke 2 tokens' }).click();
  await page.getByText('The tokens were revoked.').waitFor();
  expect(await page.locator('tbody th a').allTextContents()).toEqual(['ERP']);
});

it('without a script, rows are selected too', async () => {
  await using scene = await serveThree();
  await using page = await newPage({ javaScript: false });
  await signIn(page, scene, ADA);
  await box(page, 'CI').check();
  await revoke(page).click();
  await page.getByRole('button', { name: 'Revoke 1 token' }).click();
  await page.getByText('The tokens were revoked.').waitFor();
  expect(await page.locator('tbody th a').allTextContents()).toEqual(['Wiki', 'ERP']);
});
