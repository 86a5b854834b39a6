import { afterAll, beforeAll, expect, test } from 'vitest';
import { call } from '../../testing/client.ts';
import { factsOf } from '../../testing/example-facts.ts';
import { exampleTargets } from '../../testing/examples.ts';
import { basic, introspect } from '../../testing/introspect.ts';
import { recordLog } from '../../testing/log.ts';
import type { MemoryServer } from '../../testing/memory-server.ts';
import { startTestServer } from '../../testing/start-test-server.ts';
import { createAccessLog } from '../logging/request-logs.ts';

const access = recordLog();
let scene: MemoryServer;

beforeAll(async () => {
  scene = await startTestServer({ ports: { accessLog: createAccessLog(access.log) } });
});
afterAll(() => scene[Symbol.asyncDispose]());

test('the credential of a service is no token: every route for tokens refuses it like any wrong one', async () => {
  const { secret, service } = await scene.orders();
  const targets = exampleTargets(await factsOf(scene), ({ rule }) => rule !== undefined && !rule.services);
  expect(targets.map(({ route }) => route.operationId)).toEqual(
    expect.arrayContaining(['getMe', 'verifyScope']),
  );
  for (const { route, target } of targets) {
    const { method } = route;
    const answerTo = async (authorization: string) => {
      const headers = { authorization, 'x-request-id': 'same', origin: scene.url };
      const reply = await call(scene.url, target, { method, headers });
      return [reply.status, [...reply.headers].filter(([name]) => name !== 'date'), reply.text];
    };
    expect(await answerTo(`Bearer ${secret}`)).toEqual(await answerTo('Bearer wrong'));
    expect((await answerTo(`Bearer ${secret}`))[0]).toBe(401);
    expect((await answerTo(basic(service, secret)))[0]).toBe(401);
  }
});

test('the credential of a service is not active as a token', async () => {
  const { secret } = await scene.orders();
  expect((await introspect(scene.url, `Bearer ${secret}`, { token: secret })).text).toBe('{"active":false}');
});

test('the logs name the service, and neither its credential nor the token', async () => {
  const { secret, service, token } = await scene.orders();
  await introspect(scene.url, `Bearer ${secret}`, { token: token.secret });
  expect(access.entries().at(-1)).toMatchObject({ route: '/api/v1/introspect', status: 200, service });
  expect(access.entries().at(-1)).not.toHaveProperty('token_id');
  await introspect(scene.url, basic(service, `${secret}x`), { token: token.secret });
  expect(access.entries().at(-1)).toMatchObject({ status: 401, refused: 'credential_not_accepted' });
  expect(scene.entries().at(-1)).toMatchObject({ kind: 'refused', reason: 'credential_not_accepted' });
  const lines = [...access.lines, ...scene.lines].join('');
  for (const secretText of [secret, token.secret, Buffer.from(`${service}:${secret}`).toString('base64')])
    expect(lines).not.toContain(secretText.slice(4, 24));
});
