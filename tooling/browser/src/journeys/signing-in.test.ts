import { describe, expect, it } from 'vitest';
import { newPage, signIn } from '../index.ts';
import { open, pathOf, tabTo, worldOfTests } from './world-of-tests.ts';

const world = worldOfTests();

describe.each([{ javaScript: true }, { javaScript: false }])('with %o', (options) => {
  it('one signs in, comes to the page that was asked for, and signs out', async () => {
    await using page = await newPage(options);
    const { email, password } = world().acme.admin;
    await open(page, world(), '/settings/password?from=here');
    expect(new URL(page.url()).pathname).toBe('/sign-in');
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password').fill('not the password of Ada');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('alert').waitFor();
    expect(await page.getByRole('alert').textContent()).toMatch(/wrong/);
    expect(await page.getByLabel('Email').inputValue()).toBe(email);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { level: 1, name: 'Password' }).waitFor();
    expect(pathOf(page)).toBe('/settings/password?from=here');

    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByText('You are signed out.').waitFor();
    await open(page, world(), '/settings/password');
    expect(new URL(page.url()).pathname).toBe('/sign-in');
  });

  it('one sees where one is signed in, and ends it there', async () => {
    await using here = await newPage(options);
    await using elsewhere = await newPage(options);
    for (const page of [here, elsewhere]) await signIn(page, world(), world().acme.admin);
    await open(here, world(), '/settings/sessions');
    await here.getByRole('button', { name: 'End all other sessions' }).click();
    await here.getByRole('status').waitFor();
    expect(await here.getByRole('button', { name: 'End session' }).count()).toBe(0);
    await open(elsewhere, world(), '/settings/sessions');
    expect(new URL(elsewhere.url()).pathname).toBe('/sign-in');
  });

  it('one changes the password, which signs out another browser', async () => {
    await using here = await newPage(options);
    await using elsewhere = await newPage(options);
    const person = world().globex[options.javaScript ? 'admin' : 'member'];
    for (const page of [here, elsewhere]) await signIn(page, world(), person);
    await open(elsewhere, world(), '/settings/password');
    await open(here, world(), '/settings/password');
    const change = async (current: string, again: string) => {
      await here.getByLabel('Your password now').fill(current);
      await here.getByLabel('New password', { exact: true }).fill('another phrase by hand');
      await here.getByLabel('New password again').fill(again);
      await here.getByRole('button', { name: 'Change password' }).click();
    };
    await change(person.password, 'another phrase by mistake');
    await here.getByRole('alert').waitFor();
    expect(await here.locator(':focus').getAttribute('name')).toBe('again');
    await change(person.password, 'another phrase by hand');
    await here.getByText('Your password was changed').waitFor();

    await elsewhere.reload();
    expect(new URL(elsewhere.url()).pathname).toBe('/sign-in');
    await signIn(elsewhere, world(), { ...person, password: 'another phrase by hand' });
  });
});

it('signing in, out and to a page takes a keyboard and no mouse', async () => {
  await using page = await newPage();
  const { email, password } = world().acme.member;
  await open(page, world(), '/');
  await page.keyboard.press('Tab');
  expect(await page.locator(':focus').textContent()).toBe('Skip to the content');
  await tabTo(page, page.getByRole('link', { name: 'Manage API tokens' }));
  await page.keyboard.press('Enter');
  await page.waitForURL('**/sign-in?**');
  await tabTo(page, page.getByLabel('Email'));
  await page.keyboard.type(email);
  await tabTo(page, page.getByLabel('Password'));
  await page.keyboard.type(password);
  await page.keyboard.press('Enter');
  await page.waitForURL('**/settings/api');
  await tabTo(page, page.getByRole('link', { name: 'Password' }));
  await page.keyboard.press('Enter');
  await page.waitForURL('**/settings/password');
  await tabTo(page, page.getByRole('button', { name: 'Sign out' }));
  await page.keyboard.press('Enter');
  await page.getByText('You are signed out.').waitFor();
});
