import { randomBytes } from 'node:crypto';
import { createTestDatabase, openSilenceableProxy } from '@gatehouse/test-database';
import { expect, it } from 'vitest';
import { findViolations, newPage, signIn, validateHtml } from '../index.ts';
import { runCommand, startServer } from '../world/start-server.ts';

const PERSON = { email: 'ada@acme.example', password: 'the phrase of Ada' };

it('with the database away, a page says so, and goes on afterwards', async () => {
  await using database = await createTestDatabase();
  const proxy = await openSilenceableProxy(database.url);
  const settings = { GATEHOUSE_MASTER_KEY: randomBytes(32).toString('base64url') };
  const direct = { ...settings, DATABASE_URL: database.url };
  try {
    await runCommand(direct, ['migrate']);
    const account = JSON.parse(await runCommand(direct, ['account', 'create', '--name', 'Acme', '--json']));
    const who = [
      '--account',
      String(account.id),
      '--email',
      PERSON.email,
      '--name',
      'Ada',
      '--role',
      'admin',
    ];
    await runCommand(direct, ['user', 'create', ...who, '--password-stdin'], `${PERSON.password}\n`);
    await using server = await startServer({ ...settings, DATABASE_URL: proxy.url });
    await using page = await newPage();
    await signIn(page, server, PERSON);
    const address = new URL('/settings/password', server.url).href;

    proxy.cut(true);
    const away = await page.goto(address);
    expect(away?.status()).toBe(503);
    expect(Number(await away?.headerValue('retry-after'))).toBeGreaterThan(0);
    expect(await page.getByRole('main').textContent()).toMatch(/cannot reach its database/);
    expect(await findViolations(page)).toEqual([]);
    expect(await validateHtml((await away?.text()) ?? '')).toEqual([]);

    proxy.cut(false);
    await expect.poll(async () => (await page.goto(address))?.status()).toBe(200);
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Password');
  } finally {
    await proxy.close();
  }
});
