import { GOOD } from '@gatehouse/domain/testing';
import { expect, test, vi } from 'vitest';
import { servePages } from '../testing/serve-pages.ts';

const PATH = '/forgot-password';

/** The answer without the parts that differ in every page. */
const comparable = (html: string) => html.replaceAll(/value="[^"]*"/g, '');

async function open(parts: Parameters<typeof servePages>[0] = {}) {
  const pause = vi.fn(async () => undefined);
  const scene = await servePages({ isMailSetUp: true, pause, ...parts });
  const newest = async () => (await scene.world.audit.list({ limit: 1 }))[0]?.event;
  const ask = async (email: string) =>
    (await scene.visitor().get(PATH)).submit('Send link', { Email: email });
  return { ...scene, pause, newest, ask };
}

test('the sign-in page leads to it, and a member gets a link', async () => {
  await using scene = await open();
  expect((await scene.visitor().get('/sign-in')).html).toContain('href="/forgot-password"');
  const { member } = scene.people;
  const asked = await scene.ask(member.email);
  expect([asked.status, asked.heading]).toEqual([200, 'Check your email']);
  expect(await scene.newest()).toMatchObject({
    action: 'user.reset_requested',
    subject: { id: `${member.id}` },
  });
});

test('the answer is the same for every address, and takes the same time', async () => {
  await using scene = await open();
  const before = await scene.newest();
  const addresses = [scene.people.admin.email, 'unknown@acme.example', 'no address', 'a\u0000@b.example'];
  const pages = [];
  for (const email of [...addresses, scene.people.member.email]) pages.push(await scene.ask(email));
  expect(new Set(pages.map(({ html }) => comparable(html))).size).toBe(1);
  expect(new Set(pages.map(({ status }) => status))).toEqual(new Set([200]));
  expect(scene.pause.mock.calls).toEqual(Array(5).fill([500]));
  expect(await scene.newest()).not.toEqual(before);
  for (const { html } of pages) expect(html).not.toContain(GOOD.email);
});

test('a form from another site or without a form token is refused', async () => {
  await using scene = await open();
  const { member } = scene.people;
  const form = (headers: Record<string, string>) =>
    scene.visitor().ask(PATH, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      body: `email=${encodeURIComponent(member.email)}`,
    });
  const before = await scene.newest();
  expect((await form({ origin: scene.url })).status).toBe(403);
  expect((await form({ origin: 'https://evil.example' })).status).toBe(400);
  expect(await scene.newest()).toEqual(before);
});

test('a network that asks too often has to wait', async () => {
  await using scene = await open();
  let last = await scene.ask('x0@acme.example');
  for (let count = 1; count <= 100; count += 1) last = await scene.ask(`x${count}@acme.example`);
  expect(last.status).toBe(429);
});

test.each([
  ['without a mail server', { isMailSetUp: false }],
  ['while passwords are off', { passwordSignIn: 'break-glass' }],
] as const)('there is no such page %s', async (_, parts) => {
  await using scene = await open(parts);
  expect((await scene.visitor().ask(PATH)).status).toBe(404);
  expect((await scene.visitor().get('/sign-in')).html).not.toContain(PATH);
  const post = { method: 'POST', headers: { origin: scene.url } };
  expect((await scene.visitor().ask(PATH, post)).status).toBe(404);
});
