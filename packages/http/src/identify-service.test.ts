import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AuthenticateService } from '@gatehouse/domain/services';
import { expect, test, vi } from 'vitest';
import { createIdentifyService } from './identify-service.ts';
import { HttpRequest } from './request.ts';

const SECRET = `ghs_${'aB3_-'.repeat(8)}abc`;

const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;

/** Returns how a request with these headers is identified, and what was asked about its credential. */
async function identified(authorizations: readonly string[], url = '/') {
  const authenticate = vi.fn<AuthenticateService>(() => ({ kind: 'refused', reason: 'no_token' }));
  const [authorization] = authorizations;
  const node = {
    method: 'GET',
    url,
    headers: authorization === undefined ? {} : { authorization },
    rawHeaders: authorizations.flatMap((value) => ['Authorization', value]),
    // Nothing else of a request is read.
  } as unknown as IncomingMessage;
  const request = new HttpRequest(node, {} as ServerResponse, () => '192.0.2.1');
  const caller = await createIdentifyService(authenticate, true)(request);
  return { caller, asked: authenticate.mock.calls };
}

test.each([
  [`Bearer ${SECRET}`, undefined],
  [`bearer   ${SECRET}`, undefined],
  [basic(`orders:${SECRET}`), 'orders'],
  [basic(`orders:${SECRET}`).replace('Basic', 'bASIC  '), 'orders'],
  [basic(`orders:${SECRET}`).replaceAll('=', ''), 'orders'],
  // An OAuth client may encode both parts as in a form (RFC 6749 section 2.3.1).
  [basic(`my%2Dorders:${SECRET.replaceAll('_', '%5F')}`), 'my-orders'],
])('a credential is found: %s', async (authorization, name) => {
  expect((await identified([authorization])).asked).toEqual([[SECRET, '192.0.2.1', name]]);
});

test('a name and a secret are divided at the first colon, and a text that is not encoded stays as it is', async () => {
  expect((await identified([basic('orders:a:b%')])).asked).toEqual([['a:b%', '192.0.2.1', 'orders']]);
  expect((await identified([basic('ö:')])).asked).toEqual([['', '192.0.2.1', 'ö']]);
});

test.each([
  'Bearer',
  'Bearer ',
  'Basic',
  'basic  ',
  'Digest x',
  SECRET,
  `Bearers ${SECRET}`,
  '',
  `Basic\t${SECRET}`,
])('there is no credential: %j', async (authorization) => {
  expect(await identified([authorization])).toEqual({
    caller: { kind: 'refused', reason: 'no_token' },
    asked: [],
  });
});

test.each(['Basic ,', 'Basic ä', 'Basic x y', basic('orders'), `Basic orders:${SECRET}`, 'Basic ='])(
  'a text that is no name and secret is refused like a wrong one: %j',
  async (authorization) => {
    expect(await identified([authorization])).toEqual({
      caller: { kind: 'refused', reason: 'credential_not_accepted' },
      asked: [],
    });
  },
);

test.each([
  [[`Bearer ${SECRET}`, `Bearer ${SECRET}`]],
  [[basic(`orders:${SECRET}`), 'Digest x']],
  [[`Bearer ${SECRET}, Bearer ${SECRET}`]],
  [[`Bearer ${SECRET},${basic('orders:x')}`]],
  [[`${basic('orders:x')}, bearer ${SECRET}`]],
])('two credentials are repeated, also if a proxy joined them: %j', async (authorizations) => {
  expect(await identified(authorizations)).toEqual({ caller: 'repeated', asked: [] });
});

test('a token in the query is another credential', async () => {
  expect((await identified([`Bearer ${SECRET}`], '/?access_token=x')).caller).toBe('repeated');
  expect((await identified(['Basic ä'], '/?access_token=x')).caller).toBe('repeated');
});
