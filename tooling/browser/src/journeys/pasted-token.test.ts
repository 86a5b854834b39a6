import { serveServices } from '@gatehouse/pages/testing/serve-services';
import { expect, it } from 'vitest';
import { newPage, signIn } from '../index.ts';

const ADA = { email: 'ada@acme.example', password: 'correct horse battery' };
const SECRET = 'v4.public.eyJpc3MiOiJnYXRlaG91c2UiLCJzdWIiOiIxIn0';

/** Pastes a text into the field that has the focus, as a person does. */
const paste = (text: string) => `
  const clipboardData = new DataTransfer();
  clipboardData.setData('text', ${JSON.stringify(text)});
  document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));`;

it.each(['/settings/api', '/settings/api/activity', '/settings/users', '/settings/organizations'])(
  'a token that is pasted into the search of %s is checked, and no address has it',
  async (path) => {
    await using scene = await serveServices();
    await scene.issue('ERP', ['orgs:read']);
    await using page = await newPage();
    await signIn(page, scene, ADA);
    await page.goto(scene.url + path);
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url(), request.headers().referer ?? ''));
    await page.locator('[type=search]').first().focus();
    await page.evaluate(paste('ERP'));
    await page.evaluate(paste(SECRET));
    await page.waitForURL('**/settings/api/check');
    await page.getByText('This is not a token of your account.').waitFor();
    expect(asked.filter((text) => text.includes(SECRET))).toEqual([]);
    expect(await page.content()).not.toContain(SECRET);
  },
);
