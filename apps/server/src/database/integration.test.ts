import { unwrap } from '@gatehouse/domain/testing';
import { parseTokenId, type TokenId } from '@gatehouse/domain/tokens';
import { expect, it } from 'vitest';
import { call, ME, signInWith, tokenIn } from '../../testing/client.ts';
import { execute } from '../../testing/execute.ts';
import { type DemoServer, OPERATOR } from '../../testing/postgres-server.ts';
import { startTestServer } from '../../testing/start-test-server.ts';

const signedIn = async ({ url, demo }: DemoServer) => tokenIn(await signInWith(url, demo.admin));

const idOf = async (url: string, token: string) => {
  const { json } = await call(url, ME, { token });
  return parseTokenId((json as { token: { id: string } }).token.id) as TokenId;
};

it('reads the database at most twice for an unknown token and organization', async () => {
  await using served = await startTestServer({
    database: 'postgres',
    settings: { CACHE_TOKENS: '0', CACHE_ORGANIZATIONS: '0' },
  });
  const token = await signedIn(served);
  const path = `/api/v1/orgs/${served.demo.organizations[0]?.id}`;
  const cost = async (request: () => Promise<{ status: number }>) => {
    const before = served.statements();
    const { status } = await request();
    return [status, served.statements() - before];
  };
  await call(served.url, path, { token });
  expect(await cost(() => call(served.url, path, { token }))).toEqual([200, 2]);
  expect(await cost(() => call(served.url, '/api/v1/orgs/987654', { token }))).toEqual([404, 2]);
  expect(await cost(() => call(served.url, '/api/v1/orgs/x', { token }))).toEqual([404, 1]);
  expect(await cost(() => call(served.url, ME, { token }))).toEqual([200, 1]);
  expect(await cost(() => call(served.url, ME, { token: `${token}x` }))).toEqual([401, 0]);
  expect(await cost(() => call(served.url, ME, { token: 'garbage' }))).toEqual([401, 0]);
  expect(await cost(() => call(served.url, ME))).toEqual([401, 0]);
});

it('a revoked token is refused with the next request after the acknowledgement, without a cache', async () => {
  await using served = await startTestServer({ database: 'postgres', settings: { CACHE_TOKENS: '0' } });
  const { actAs, revokeToken } = served.container.services.useCases;
  const admin = unwrap(await actAs(served.demo.admin.email, OPERATOR));
  for (let round = 0; round < 20; round += 1) {
    const token = await signedIn(served);
    const id = await idOf(served.url, token);
    unwrap(await revokeToken(admin, { id, reason: null }));
    const answers = await Promise.all([1, 2, 3].map(() => call(served.url, ME, { token })));
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401]);
  }
});

it('records events of time, once', async () => {
  await using served = await startTestServer({ database: 'postgres' });
  const { actAs, issueToken } = served.container.services.useCases;
  const admin = unwrap(await actAs(served.demo.admin.email, OPERATOR));
  const input = { name: 'ERP', format: 'paseto', scopes: ['*'], expiry: { in: 40 * 86_400_000 } } as const;
  const { record } = unwrap(await issueToken(admin, input));
  const { recordTimeEvents, repositories } = served.container.services;
  await execute(
    served.database.url,
    `update tokens set created_at = now() - interval '33 days', expires_at = now() + interval '6.5 days'
     where id = '${record.id}'`,
  );
  for (let round = 0; round < 3; round += 1)
    expect(await recordTimeEvents({ addresses: true })).toEqual({ more: false });
  const told = await repositories.audit.list({ actions: ['token.expires_soon'], limit: 10 });
  expect(told.map(({ event: { actor, origin, details } }) => [actor, origin, details.days])).toEqual([
    [{ kind: 'system' }, 'gatehouse', 7],
  ]);
});

it('a database that is away is 503 with Retry-After and without the reason, never 401 or 403', async () => {
  await using served = await startTestServer({ database: 'postgres' });
  const { url, demo } = served;
  const token = await signedIn(served);
  expect((await call(served.opsUrl, '/ready')).status).toBe(200);
  await served.database.drop();
  const status = async () => (await call(url, ME, { token })).status;
  await expect.poll(status, { timeout: 1000, interval: 5 }).toBe(503);
  for (const answer of [
    await call(url, ME, { token }),
    await call(url, '/api/v1/orgs/1', { token }),
    await call(url, '/.well-known/jwks.json'),
    await signInWith(url, demo.admin),
  ]) {
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1']);
    expect(answer.json).toEqual({
      type: 'urn:gatehouse:problem:unavailable',
      title: 'The service is not available for the moment.',
      status: 503,
    });
  }
  expect((await call(served.opsUrl, '/ready')).status).toBe(503);
  expect((await call(served.opsUrl, '/live')).status).toBe(200);
  expect((await call(url, ME, { token: 'garbage' })).status).toBe(401);
});
