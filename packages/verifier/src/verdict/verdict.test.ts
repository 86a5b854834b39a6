import { describe, expect, it } from 'vitest';
import { createTestVerifier } from '../create-test-verifier.ts';

const caller = { user: 42, account: 7, role: 'admin', token: 'id', scopes: ['orders:read'] };
const verifier = createTestVerifier({ tokens: { ada: caller } });
const aRequest = (...headers: string[]) => ({
  rawHeaders: headers.flatMap((header) => ['Authorization', header]),
});

describe('A verdict', () => {
  it.each([
    [aRequest(), 'orders:read', 401, 'Bearer'],
    [aRequest('Basic YTpi'), 'orders:read', 401, 'Bearer'],
    [
      aRequest('Bearer eve'),
      'orders:read',
      401,
      'Bearer error="invalid_token", error_description="the token is not valid"',
    ],
    [
      aRequest('Bearer ada'),
      'orders:write',
      403,
      'Bearer error="insufficient_scope", error_description="the token lacks the scope orders:write", scope="orders:write"',
    ],
    [
      aRequest('Bearer ada', 'Bearer eve'),
      'orders:read',
      400,
      'Bearer error="invalid_request", error_description="the request has more than one Authorization header"',
    ],
    [
      new Request('http://orders', {
        headers: [
          ['authorization', 'Bearer ada'],
          ['authorization', 'Bearer eve'],
        ],
      }),
      'orders:read',
      400,
      'Bearer error="invalid_request", error_description="the request has more than one Authorization header"',
    ],
  ])('answers as RFC 6750 says (%#)', async (request, scope, status, challenge) => {
    const verdict = await verifier.verify(request, { scope });
    if (verdict.ok) throw new Error('was accepted');
    const response = verdict.response();
    expect(response.status).toBe(status);
    expect(response.headers.get('www-authenticate')).toBe(challenge);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(await response.text()).toMatch(/^the .*\n$/);
  });

  it('refuses a scope that no token can have, without its text', async () => {
    const verdict = await verifier.verify('ada', { scope: 'x", realm="y\r\n' });
    expect(verdict).toMatchObject({
      status: 403,
      reason: 'the token lacks the scope; at this service it has orders:read',
    });
    expect(JSON.stringify(verdict)).not.toContain('realm');
  });

  it('without the scope names the scopes of the token in the reason only, so that a misspelt one is seen', async () => {
    const verdict = await verifier.verify('ada', { scope: 'orders:raed' });
    if (verdict.ok) throw new Error('was accepted');
    expect(verdict.reason).toBe('the token lacks the scope orders:raed; at this service it has orders:read');
    expect(await verdict.response().text()).toBe('the token lacks the scope orders:raed\n');
  });

  it('shows a caller to which nothing can be added', async () => {
    const verdict = await verifier.verify('ada', { scope: 'orders:read' });
    if (!verdict.ok) throw new Error('was refused');
    expect(() => Object.assign(verdict.caller, { role: 'admin' })).toThrow(TypeError);
    expect(() => (verdict.caller.scopes as string[]).push('orders:write')).toThrow(TypeError);
    expect(caller.scopes).toEqual(['orders:read']);
  });

  it.each([undefined, {}, { scope: ['orders:read'] }])('needs a scope: %j', async (wanted) => {
    const message = /scope is missing: call verify\(request, \{ scope: 'orders:read' \}\)/;
    await expect(verifier.verify('ada', wanted as never)).rejects.toThrow(message);
    expect(() => verifier.verifyNow('ada', wanted as never)).toThrow(message);
  });

  it('accepts one bearer token, whatever the case of the scheme', async () => {
    for (const header of ['Bearer ada', 'bearer ada', 'BEARER  ada']) {
      expect(await verifier.verify(aRequest(header), { scope: 'orders:read' })).toEqual({ ok: true, caller });
    }
  });

  it('says when to come back, and not why, if the token cannot be verified now', async () => {
    const lost = createTestVerifier({ tokens: { ada: caller } });
    lost.disconnect();
    const verdict = lost.verifyNow('ada', { scope: 'orders:read' });
    if (!verdict || verdict.ok) throw new Error('was accepted');
    expect(verdict.response().headers.get('retry-after')).toBe('1');
    expect(await verdict.response().text()).toBe('the token cannot be verified now\n');
  });

  it('of a test verifier changes when the test revokes the token', () => {
    const own = createTestVerifier({ tokens: { ada: caller } });
    own.revoke('ada');
    expect(own.verifyNow('ada', { scope: 'orders:read' })).toMatchObject({ status: 401 });
  });

  it('of a test verifier obeys the networks of a token', () => {
    const networks = ['203.0.113.0/24'];
    const own = createTestVerifier({ tokens: { ada: { ...caller, networks } } });
    const from = (clientAddress?: string) => own.verifyNow('ada', { scope: 'orders:read', clientAddress });
    expect(from('203.0.113.7')).toEqual({ ok: true, caller });
    for (const address of ['198.51.100.7', undefined])
      expect(from(address)).toMatchObject({
        status: 403,
        isOfNetwork: true,
        headers: {
          'www-authenticate':
            'Bearer error="network_not_allowed", error_description="the token may not be used from this network"',
        },
      });
    const wrong = { tokens: { ada: { ...caller, networks: ['203.0.113.7'] } } };
    expect(() => createTestVerifier(wrong)).toThrow('is not a network');
  });
});
