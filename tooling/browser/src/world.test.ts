import { fillDataFolder } from '@gatehouse/embedded-postgres/testing/fill-data-folder';
import { expect, it } from 'vitest';
import { newPage, startWorld } from './index.ts';

it('a world has a server that the browser reaches, and people of two accounts', async () => {
  await using world = await startWorld({ fill: fillDataFolder });
  await using page = await newPage();
  const response = await page.goto(new URL('/openapi.json', world.url).href);
  expect(response?.status()).toBe(200);
  const users: { email: string; role: string }[] = JSON.parse(
    await world.command(['user', 'list', '--json']),
  );
  const { acme, globex } = world;
  expect(
    users
      .filter(({ role }) => role === 'admin')
      .map(({ email }) => email)
      .toSorted(),
  ).toEqual([acme.admin.email, globex.admin.email]);
  for (const person of [acme.admin, acme.member, globex.admin, globex.member]) {
    const { status } = await fetch(new URL('/api/v1/auth.json', world.url), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(person),
    });
    expect(status).toBe(200);
  }
});
