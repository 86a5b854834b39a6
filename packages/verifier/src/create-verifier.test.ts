import { describe, expect, it } from 'vitest';
import { aKnowingVerifier, questionsOf, READ, statusOf } from '../testing/knowing-verifier.ts';
import { ACTIVE, aVerifier, settled } from '../testing/stub-gatehouse.ts';

describe('A verifier', () => {
  it.each([
    [{ url: 'gatehouse.example' }, 'url must be an address such as https://gatehouse.example'],
    [{ url: 'ftp://gatehouse.example' }, 'url must be an address such as https://gatehouse.example'],
    [{ url: 'https://user:word@gatehouse.example' }, 'url must have no user'],
    [{ url: 'https://gatehouse.example/?a' }, 'no query'],
    [{ credential: 'v4.public.x' }, 'credential must be a credential of a service, ghs_...'],
    [{ credential: 'ghs_x\r\nx: y' }, 'credential must be a credential of a service, ghs_...'],
    [{ whenStale: 'Refuse' as 'refuse' }, "whenStale must be 'ask' or 'refuse'"],
    [{ maxStalenessMs: 1001 }, 'maxStalenessMs must be more than 0 and at most 1000'],
    [{ maxStalenessMs: Number.NaN }, 'maxStalenessMs must be more than 0 and at most 1000'],
    [{ maxTokens: 0 }, 'maxTokens must be a whole number of at least 1'],
    [{ maxQuestions: 1.5 }, 'maxQuestions must be a whole number of at least 1'],
  ])('is not made of %j', (options, message) => {
    expect(() => aVerifier(options)).toThrow(message);
  });

  it.each(['jwt', 'paseto'] as const)(
    'remembers a token in the format %s, and decides without a promise',
    async (format) => {
      const { verifier, calls, prove, ...tokens } = aVerifier();
      await prove();
      const token = tokens[format]();
      expect(verifier.verifyNow(token, READ)).toBeUndefined();
      await verifier.verify(token, READ);
      const caller = { user: 42, account: 7, role: 'admin', token: ACTIVE.jti, scopes: ['orders:read'] };
      expect(verifier.verifyNow(token, READ)).toEqual({ ok: true, caller });
      expect(statusOf(verifier.verifyNow(token, { scope: 'orders:write' }))).toBe(403);
      expect(questionsOf(calls)).toBe(1);
    },
  );

  it('gives a service no remembered caller to change', async () => {
    const { verifier, token } = await aKnowingVerifier();
    const verdict = verifier.verifyNow(token, READ);
    if (!verdict?.ok) throw new Error('was refused');
    expect(() => (verdict.caller.scopes as string[]).push('orders:write')).toThrow(TypeError);
    expect(() => Object.assign(verdict.caller, { user: 1 })).toThrow(TypeError);
    expect(statusOf(verifier.verifyNow(token, { scope: 'orders:write' }))).toBe(403);
  });

  it('says that it needs a scope', async () => {
    const { verifier, token } = await aKnowingVerifier();
    await expect(verifier.verify(token, undefined as never)).rejects.toThrow('scope is missing');
    expect(() => verifier.verifyNow(token, undefined as never)).toThrow('scope is missing');
  });

  it('does not accept a token again that Gatehouse refused while the knowledge was too old', async () => {
    const { verifier, stream, token, stub, pass } = await aKnowingVerifier();
    pass(1500);
    stub.answer = async () => Response.json({ active: false });
    expect(statusOf(await verifier.verify(token, READ))).toBe(401);
    await stream.proof();
    expect(verifier.state()).toMatchObject({ isFresh: true });
    expect(statusOf(verifier.verifyNow(token, READ))).toBe(401);
  });

  it('refuses a revoked token once the change is told, and asks once a second about it', async () => {
    const { verifier, stream, token, stub, calls, pass } = await aKnowingVerifier();
    await stream.changed(['other-handle']);
    expect(statusOf(verifier.verifyNow(token, READ))).toBe(200);
    await stream.changed(['token-handle']);
    expect(verifier.verifyNow(token, READ)).toBeUndefined();
    stub.answer = async () => Response.json({ active: false });
    for (let i = 0; i < 5; i += 1) expect(statusOf(await verifier.verify(token, READ))).toBe(401);
    expect(questionsOf(calls)).toBe(2);
    pass(999);
    expect(statusOf(verifier.verifyNow(token, READ))).toBe(401);
    pass(1);
    expect(verifier.verifyNow(token, READ)).toBeUndefined();
  });

  it('asks for each request while its knowledge is too old', async () => {
    const { verifier, token, calls, pass } = await aKnowingVerifier();
    pass(1001);
    for (let i = 0; i < 3; i += 1) expect(statusOf(await verifier.verify(token, READ))).toBe(200);
    expect(questionsOf(calls)).toBe(4);
  });

  it('says how old its knowledge is, and how many tokens it remembers', async () => {
    const { verifier, prove, jwt, pass, calls } = aVerifier();
    expect(verifier.state()).toEqual({ isFresh: false, ageMs: undefined, tokens: 0 });
    await prove();
    await verifier.verify(jwt(), READ);
    const before = calls.length;
    pass(300);
    // 1 % of the time since the request for the stream.
    expect(verifier.state()).toEqual({ isFresh: true, ageMs: 303, tokens: 1 });
    pass(700);
    expect(verifier.state()).toEqual({ isFresh: false, ageMs: 1010, tokens: 1 });
    pass(10_000);
    expect(verifier.state()).toMatchObject({ isFresh: false, ageMs: undefined });
    expect(calls.length).toBe(before);
  });

  it('refuses while its knowledge is too old, if told so', async () => {
    const { verifier, token, calls, pass, stream } = await aKnowingVerifier({ whenStale: 'refuse' });
    pass(1001);
    const verdict = await verifier.verify(token, READ);
    expect(verdict).toMatchObject({ status: 503, headers: { 'retry-after': '1' } });
    await stream.proof();
    expect(statusOf(verifier.verifyNow(token, READ))).toBe(200);
    expect(questionsOf(calls)).toBe(1);
  });

  it('ends a stream that lost an event, and believes none of its later proofs', async () => {
    const { verifier, token, stream, pass } = await aKnowingVerifier();
    pass(900);
    await stream.proof(5);
    expect(stream.isOver()).toBe(true);
    await stream.proof(4);
    pass(200);
    expect(verifier.verifyNow(token, READ)).toBeUndefined();
  });

  it('believes no stream that another request asked for', async () => {
    const { verifier, streams, jwt } = aVerifier({ whenStale: 'refuse' });
    await settled();
    await streams[0]?.hello('another-nonce-of-24-bytes');
    await streams[0]?.proof();
    expect(streams[0]?.isOver()).toBe(true);
    expect(statusOf(await verifier.verify(jwt(), READ))).toBe(503);
  });

  it('asks nothing about a forged token', async () => {
    const { verifier, calls, jwt, paseto } = await aKnowingVerifier();
    const before = calls.length;
    const forger = aVerifier();
    for (const token of [
      forger.jwt(),
      forger.paseto(),
      'x',
      `${jwt()}=`,
      `${paseto()}.`,
      jwt('1', { alg: 'none', kid: 'one' }),
    ]) {
      expect(statusOf(verifier.verifyNow(token, READ))).toBe(401);
    }
    expect(calls.length).toBe(before);
  });

  it('sends nothing about a thousand forged tokens', async () => {
    const { verifier, calls, requests, elapse } = await aKnowingVerifier();
    const forger = aVerifier();
    const before = requests.length;
    for (let id = 0; id < 500; id += 1) {
      for (const token of [forger.jwt(`${id}`), forger.paseto(`${id}`)])
        expect(statusOf(await verifier.verify(token, READ))).toBe(401);
    }
    await elapse(2000);
    expect([requests.length, questionsOf(calls)]).toEqual([before, 1]);
  });

  it('fetches the keys at most once a second, whatever keys tokens name', async () => {
    const { verifier, calls, jwt, pass } = await aKnowingVerifier();
    const fetches = () => calls.filter((name) => name === 'jwks.json').length;
    const unknown = (kid: number) => verifier.verify(jwt('1', { alg: 'EdDSA', kid: `${kid}` }), READ);
    pass(1);
    for (let i = 0; i < 20; i += 1) expect(statusOf(await unknown(i))).toBe(503);
    expect(fetches()).toBe(1);
    pass(1000);
    expect(statusOf(await unknown(1))).toBe(401);
    pass(1);
    expect(statusOf(await unknown(1))).toBe(503);
    expect(fetches()).toBe(2);
    expect(questionsOf(calls)).toBe(1);
  });

  it.each([
    ['a redirect', () => new Response(null, { status: 302, headers: { location: 'http://elsewhere' } })],
    ['too many keys', () => Response.json({ keys: Array(10_000).fill({ kid: 'one', x: 'x'.repeat(43) }) })],
    ['no list', () => Response.json({ keys: 1 })],
    ['nothing', () => Response.json(null)],
    ['a key that is none', () => Response.json({ keys: [{ kid: 'one', x: 'x' }] })],
    ['no JSON', () => new Response('<html>')],
  ])('answers 503 and asks nothing if the keys are %s', async (_, tellKeys) => {
    const { verifier, stub, jwt, calls, pass } = aVerifier();
    stub.tellKeys = tellKeys;
    expect(statusOf(await verifier.verify(jwt(), READ))).toBe(503);
    expect(questionsOf(calls)).toBe(0);
    stub.tellKeys = undefined;
    pass(1000);
    expect(statusOf(await verifier.verify(jwt(), READ))).toBe(200);
  });

  it('decides by the clock of Gatehouse when a token expires, and asks in the second before', async () => {
    const { verifier, stub, jwt, prove, pass, streams, calls, reports, elapse } = aVerifier();
    await prove();
    stub.answer = async () => Response.json({ ...ACTIVE, exp: 1_790_000_004 });
    await verifier.verify(jwt(), READ);
    // The bound is 1 % of the age of the stream before the proof, and that may have passed at Gatehouse.
    pass(2970);
    await streams[0]?.proof();
    expect(statusOf(verifier.verifyNow(jwt(), READ))).toBe(200);
    pass(1);
    expect(verifier.verifyNow(jwt(), READ)).toBeUndefined();
    pass(989);
    await streams[0]?.proof();
    expect(verifier.verifyNow(jwt(), READ)).toBeUndefined();
    pass(1);
    expect(statusOf(await verifier.verify(jwt(), READ))).toBe(401);
    expect(questionsOf(calls)).toBe(1);
    await elapse(50);
    expect(reports).toMatchObject([{ uses: [{ count: 1 }], refusals: [{ count: 1, reason: 'expired' }] }]);
  });
});
