import { apiToken } from '@gatehouse/domain/testing';
import { expect, it } from 'vitest';
import { call } from '../../testing/client.ts';
import { recordLog } from '../../testing/log.ts';
import { startTestServer } from '../../testing/start-test-server.ts';
import { createAccessLog } from './request-logs.ts';

// That no secret is in it is tested in security/logs.test.ts.
it('the access log has a line for each request: what, by whom, from where, and how it ended', async () => {
  const access = recordLog();
  const accessLog = createAccessLog(access.log);
  await using scene = await startTestServer({ ports: { accessLog } });
  const { secret: token, record } = await apiToken(scene.world, scene.people.admin);
  await scene.get(`/api/v1/orgs/${scene.people.shared.id}`, { token, headers: { 'x-request-id': 'mine' } });
  await call(scene.url, '/api/v1/me.json', { method: 'HEAD' });
  await call(scene.url, '/nope', { method: 'DELETE' });
  await call(scene.url, '/%');
  const common = { kind: 'request', msg: 'a request was answered', address: '127.0.0.1' };
  const timed = { ...common, duration_ms: expect.any(Number) };
  const route = '/api/v1/orgs/:id';
  expect(access.entries()).toMatchObject([
    { ...timed, request_id: 'mine', method: 'GET', route, status: 200, token_id: record.id },
    { ...timed, method: 'HEAD', route: '/api/v1/me.json', status: 401, refused: 'no_token' },
    { ...timed, method: 'DELETE', route: null, status: 404 },
    { ...common, method: 'GET', route: null, status: 400 },
  ]);
});
