import { createVisitor } from '@gatehouse/pages/testing';
import { expect, test } from 'vitest';
import { issue } from '../../testing/issue.ts';
import { startTestServer } from '../../testing/start-test-server.ts';

const ORIGIN = 'https://gatehouse.example';
const POSTS = 1000;

/** Sends one form of a token's page many times at once, to a server with its own database. */
async function sendAtOnce(action: 'revoke' | 'rotate', button: string) {
  await using server = await startTestServer({
    database: 'postgres',
    settings: { PUBLIC_URL: ORIGIN, MAX_CONNECTIONS_PER_ADDRESS: '2000' },
  });
  const { record } = await issue(server);
  const visitor = createVisitor(server.url, ORIGIN);
  const { email, password } = server.demo.admin;
  await visitor.signIn({ email, password }, '/sign-in?next=%2Fsettings%2Fpassword');
  const path = `/settings/api/${record.id}/${action}`;
  const body = `${(await visitor.get(path)).fill(button)}`;
  const headers = { 'content-type': 'application/x-www-form-urlencoded', origin: ORIGIN };
  const answers = await Promise.all(
    Array.from({ length: POSTS }, () => visitor.ask(path, { method: 'POST', body, headers })),
  );
  const { tokens, audit } = server.container.services.repositories;
  const events = await audit.list({ limit: 1000 });
  const count = (name: string) => events.filter(({ event }) => event.action === name).length;
  return { answers, count, token: await tokens.find(record.id) };
}

const shed = (status: number) => status === 503;

test('a thousand posts of one form at once revoke a token once', async () => {
  const { answers, count, token } = await sendAtOnce('revoke', 'Revoke token');
  expect(token?.revocation).not.toBeNull();
  expect(count('token.revoked')).toBe(1);
  expect(answers.filter(({ status }) => status === 303).length).toBe(1);
  const others = answers.filter(({ status }) => status !== 303 && !shed(status));
  expect(others.filter(({ text }) => !text.includes('was revoked by you'))).toEqual([]);
}, 120_000);

test('a thousand posts of one form at once rotate a token once, and show its successor once', async () => {
  const { answers, count, token } = await sendAtOnce('rotate', 'Rotate token');
  expect(count('token.rotated')).toBe(1);
  expect(answers.filter(({ text }) => text.includes('data-token')).length).toBe(1);
  const others = answers.filter(({ status, text }) => !shed(status) && !text.includes('data-token'));
  const location = `/settings/api/${token?.successor}`;
  expect(others.filter(({ headers }) => headers.get('location') !== location)).toEqual([]);
}, 120_000);
