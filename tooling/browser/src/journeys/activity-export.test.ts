import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { newPage } from '../index.ts';
import { enter } from './form-requests.ts';
import { open, worldOfTests } from './world-of-tests.ts';

const world = worldOfTests();

it.each([true, false])('the activity is filtered and downloaded (JavaScript: %s)', async (javaScript) => {
  const { admin } = world().acme;
  await using page = await newPage({ javaScript });
  await enter(page, world(), admin);
  await open(page, world(), '/settings/api/activity');
  await page.getByLabel('User').fill(admin.email);
  await page.getByLabel('Type').selectOption({ label: 'Sessions' });
  await page.getByLabel('Change').selectOption({ label: 'Signed in' });
  await page.getByRole('button', { name: 'Apply' }).click();
  await page.getByText(`${admin.email} signed in`).first().waitFor();
  for (const [format, email] of [
    ['CSV', `"${admin.email}"`],
    ['JSON', `"email":"${admin.email}"`],
  ] as const) {
    const downloading = page.waitForEvent('download');
    await page.getByRole('link', { name: `Export ${format}` }).click();
    const download = await downloading;
    expect(download.suggestedFilename()).toMatch(
      new RegExp(`^activity-\\d{4}-\\d\\d-\\d\\d\\.${format.toLowerCase()}$`),
    );
    const text = await readFile(await download.path(), 'utf8');
    expect(text).toContain(email);
    expect(text).toContain('session.created');
    expect(text).not.toContain('token.created');
    expect(text).toContain('complete');
  }
});
