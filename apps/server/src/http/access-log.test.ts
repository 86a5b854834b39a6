import { describe, expect, it } from 'vitest';
import { call, signInWith } from '../../testing/client.ts';
import { recordLog } from '../../testing/log.ts';
import { apiToken, populate } from '../../testing/population.ts';
import { serveWorld } from '../../testing/serve-world.ts';
import { createAccessLog } from './access-log.ts';
import { createClientAddress } from './client-address.ts';

async function serveLogged() {
  const access = recordLog();
  const accessLog = createAccessLog(access.log, createClientAddress(undefined));
  const served = await serveWorld({ replace: () => ({ accessLog }) });
  return { ...served, access };
}

describe('the access log', () => {
  it('has a line for each request: what, by whom, from where, and how it ended', async () => {
    await using scene = await serveLogged();
    const { admin, shared } = await populate(scene.world);
    const { secret, record } = await apiToken(scene.world, admin);
    await call(scene.url, `/api/v1/orgs/${shared.id}`, {
      token: secret,
      headers: { 'x-request-id': 'mine' },
    });
    await call(scene.url, '/api/v1/me.json', { method: 'HEAD' });
    await call(scene.url, '/nope', { method: 'DELETE' });
    await call(scene.url, '/%');
    const common = { msg: 'request', address: '127.0.0.1' };
    const timed = { ...common, duration_ms: expect.any(Number) };
    expect(scene.access.entries()).toMatchObject([
      {
        ...timed,
        request_id: 'mine',
        method: 'GET',
        route: '/api/v1/orgs/:id',
        status: 200,
        token_id: record.id,
      },
      { ...timed, method: 'HEAD', route: '/api/v1/me.json', status: 401, refused: 'no_token' },
      { ...timed, method: 'DELETE', route: null, status: 404 },
      { ...common, method: 'GET', route: null, status: 400 },
    ]);
  });

  it('never has a token or a password, wherever they are put', async () => {
    await using scene = await serveLogged();
    const { admin } = await populate(scene.world);
    const { secret } = await apiToken(scene.world, admin);
    const password = 'correct horse staple';
    await call(scene.url, `/api/v1/orgs/${secret}`, { token: secret });
    await call(scene.url, `/${secret}?token=${secret}`, {
      headers: { cookie: secret, 'x-request-id': secret },
    });
    await call(scene.url, `/api/v1/me.json?password=${password}`, { headers: { 'user-agent': secret } });
    await signInWith(scene.url, { email: password, password });
    const written = [...scene.access.lines, ...scene.lines].join('');
    expect(scene.access.lines).toHaveLength(4);
    expect(written).not.toContain(secret.slice(0, 40));
    expect(written).not.toContain('horse');
  });
});
