import { UnavailableFault } from '@gatehouse/domain';
import { openRaw } from '@gatehouse/front/testing';
import { describe, expect, it, vi } from 'vitest';
import { call } from '../../testing/client.ts';
import { startTestServer } from '../../testing/start-test-server.ts';

const PATHS = ['/api/v1/orgs/1', '/api/v1/me.json', '/.well-known/jwks.json', '/.well-known/paserk.json'];

function serveFailing(fault: unknown) {
  const fail = () => Promise.reject(fault);
  return startTestServer({ ports: { authenticateToken: fail, listPublicKeys: fail } });
}

/** As drivers make them: with what must not get out in every member. */
const fault = Object.assign(new Error('insert into secrets'), {
  status: 418,
  detail: 'Key (email)=(secret) exists',
  query: 'select secret',
  code: '23505',
  cause: new Error('cause'),
});

describe('a fault', () => {
  it('is answered without any detail, and is in the log under the id of the request', async () => {
    await using served = await serveFailing(fault);
    for (const path of PATHS) {
      const headers = { 'x-request-id': path.replaceAll('/', '-') };
      const { status, text, headers: answered } = await call(served.url, path, { token: 'x', headers });
      expect(status).toBe(500);
      expect(JSON.parse(text)).toEqual({
        type: 'urn:gatehouse:problem:internal-error',
        title: 'Something went wrong on our side.',
        status: 500,
      });
      expect(answered.get('retry-after')).toBeNull();
    }
    expect(served.entries()).toMatchObject(
      PATHS.map((path) => ({
        level: 'error',
        request_id: path.replaceAll('/', '-'),
        err: { message: 'insert into secrets', code: '23505', cause: { message: 'cause' } },
      })),
    );
    for (const line of served.lines) expect(line).not.toMatch(/select secret|Key \(email\)/);
  });

  it('that passes is 503, with the moment to try again', async () => {
    await using served = await serveFailing(new UnavailableFault('the database cannot be reached'));
    for (const path of PATHS) {
      const { status, headers, json } = await call(served.url, path, { token: 'x' });
      expect([status, headers.get('retry-after')]).toEqual([503, '1']);
      expect(json).toMatchObject({ type: 'urn:gatehouse:problem:unavailable' });
    }
    expect(served.entries()).toMatchObject(PATHS.map(() => ({ level: 'warn' })));
    expect(served.lines.join('')).not.toContain('stack');
  });

  it.each([['text'], [undefined], [null], [{ status: 200 }], [new TypeError('x')]])(
    'of any kind denies: %j',
    async (thrown) => {
      await using served = await serveFailing(thrown);
      expect((await call(served.url, '/api/v1/me.json', { token: 'x' })).status).toBe(500);
    },
  );

  it('after an answer was sent is only logged, and further requests are answered', async () => {
    const accessLog = vi.fn();
    await using served = await startTestServer({
      ports: {
        accessLog,
        traceAnswer: ({ response }) => {
          response.end('sent');
          throw fault;
        },
      },
    });
    using connection = await openRaw(served.url);
    connection.write('GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(2));
    expect((await connection.replies(2)).map(({ body }) => body)).toEqual(['sent', 'sent']);
    expect(accessLog).not.toHaveBeenCalled();
  });

  it('in making the answer, even of a fault, is answered as any other', async () => {
    await using served = await startTestServer({
      ports: {
        traceAnswer: () => {
          throw fault;
        },
      },
    });
    const headers = { 'x-request-id': 'mine' };
    const { status, json, headers: answered } = await call(served.url, '/openapi.json', { headers });
    expect([status, answered.get('x-request-id')]).toEqual([500, 'mine']);
    expect(json).toMatchObject({ type: 'urn:gatehouse:problem:internal-error' });
    expect(served.entries()).toMatchObject([{ level: 'error', request_id: 'mine' }]);
  });

  it('after the caller is known denies just so', async () => {
    await using scene = await startTestServer({
      ports: { getOrganization: () => Promise.reject(fault) },
    });
    expect((await scene.get(`/api/v1/orgs/${scene.people.shared.id}`)).status).toBe(500);
  });
});
