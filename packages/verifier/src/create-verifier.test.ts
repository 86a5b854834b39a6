import { describe, expect, it } from 'vitest';
import { ACTIVE, aVerifier, settled } from '../testing/stub-gatehouse.ts';
import type { Verdict } from './verdict/verdict.ts';

const READ = { scope: 'orders:read' };
const statusOf = (verdict: Verdict | undefined) =>
  verdict?.ok === false ? verdict.status : verdict?.ok && 200;
const questionsOf = (calls: readonly string[]) => calls.filter((name) => name === 'introspect').length;

const activeWith = (own: object) => Response.json({ ...ACTIVE, gatehouse: { ...ACTIVE.gatehouse, ...own } });

/** A verifier that remembers a token. */
async function aKnowingVerifier(options?: Parameters<typeof aVerifier>[0]) {
  const all = aVerifier(options);
  const stream = await all.prove();
  const token = all.jwt();
  expect(statusOf(await all.verifier.verify(token, READ))).toBe(200);
  expect(questionsOf(all.calls)).toBe(1);
  return { ...all, stream, token };
}

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

  it('does not accept a token again that Gatehouse refused while the knowledge was too old', async () => {
    const { verifier, stream, token, stub, pass } = await aKnowingVerifier();
    pass(1500);
    stub.answer = async () => Response.json({ active: false });
    expect(statusOf(await verifier.verify(token, READ))).toBe(401);
    await stream.proof();
    expect(verifier.state()).toMatchObject({ isFresh: true });
    expect(statusOf(verifier.verifyNow(token, READ))).toBe(401);
  });

  it('leaves questions to other tokens, however many requests with one token come at once', async () => {
    const { verifier, jwt, stub, calls } = aVerifier();
    await verifier.verify(jwt('0'), READ);
    let release = () => undefined as unknown;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    stub.answer = async () => {
      await held;
      return Response.json(ACTIVE);
    };
    const before = questionsOf(calls);
    const [one, other] = [jwt('1'), jwt('2')];
    const verdicts = Array.from({ length: 100 }, () => verifier.verify(one, READ));
    await settled();
    expect(questionsOf(calls) - before).toBe(8);
    const ofOther = verifier.verify(other, READ);
    release();
    expect(statusOf(await ofOther)).toBe(200);
    expect((await Promise.all(verdicts)).filter(({ ok }) => ok)).toHaveLength(8);
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

  it('shares a question among the requests that joined it, unless something changed meanwhile', async () => {
    for (const change of ['none', 'token-handle']) {
      const { verifier, stub, calls, prove, jwt } = aVerifier();
      const stream = await prove();
      await verifier.verify(jwt('other'), READ);
      const answers: (() => void)[] = [];
      stub.answer = () => new Promise((resolve) => answers.push(() => resolve(Response.json(ACTIVE))));
      const verdicts = Promise.all([1, 2, 3].map(() => verifier.verify(jwt(), READ)));
      await settled();
      expect(answers).toHaveLength(1);
      await stream.changed([change]);
      answers[0]?.();
      await settled();
      // The first is decided by its own answer, the others ask questions of their own.
      expect(questionsOf(calls)).toBe(change === 'none' ? 2 : 4);
      for (const answer of answers.slice(1)) answer();
      expect((await verdicts).map(statusOf)).toEqual([200, 200, 200]);
    }
  });

  it('joins no question while its knowledge is too old', async () => {
    const { verifier, stub, jwt, calls, pass } = await aKnowingVerifier();
    pass(1001);
    const answers: (() => void)[] = [];
    stub.answer = () => new Promise((resolve) => answers.push(() => resolve(Response.json(ACTIVE))));
    const verdicts = Promise.all([1, 2].map(() => verifier.verify(jwt(), READ)));
    await settled();
    expect(questionsOf(calls)).toBe(3);
    for (const answer of answers) answer();
    expect((await verdicts).map(statusOf)).toEqual([200, 200]);
  });

  it('answers 503 to a request that needs one more question than may be under way', async () => {
    const { verifier, stub, prove, jwt } = aVerifier({ maxQuestions: 2 });
    await prove();
    await verifier.verify(jwt('first'), READ);
    const answers: (() => void)[] = [];
    stub.answer = () => new Promise((resolve) => answers.push(() => resolve(Response.json(ACTIVE))));
    const two = [verifier.verify(jwt('1'), READ), verifier.verify(jwt('2'), READ)];
    await settled();
    expect(statusOf(await verifier.verify(jwt('3'), READ))).toBe(503);
    for (const answer of answers) answer();
    expect((await Promise.all(two)).map(statusOf)).toEqual([200, 200]);
    stub.answer = async () => Response.json(ACTIVE);
    expect(statusOf(await verifier.verify(jwt('3'), READ))).toBe(200);
  });

  it('uses an answer that came too late for nothing', async () => {
    const { verifier, stub, jwt, prove, pass } = aVerifier();
    await prove();
    stub.answer = async () => {
      pass(1001);
      return Response.json(ACTIVE);
    };
    expect(statusOf(await verifier.verify(jwt(), READ))).toBe(503);
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

  it.each([
    ['a redirect', () => new Response(null, { status: 302, headers: { location: 'http://elsewhere' } })],
    ['an answer that is not about the token', () => Response.json({})],
    ['too large an answer', () => Response.json({ ...ACTIVE, username: 'x'.repeat(70_000) })],
    ['429', () => new Response(null, { status: 429 })],
    ['no JSON', () => new Response('{')],
    ['an answer without the members of Gatehouse', () => Response.json({ ...ACTIVE, gatehouse: undefined })],
    ['a user that is no id', () => activeWith({ user: 1.5 })],
    ['an account that is too large', () => activeWith({ account: 1e300 })],
    ['an account that is no number', () => activeWith({ account: '7' })],
    ['an end that is no number', () => Response.json({ ...ACTIVE, exp: 'never' })],
    ['an end that no clock shows', () => Response.json({ ...ACTIVE, exp: 1e15 })],
    [
      'an infinite end',
      () => new Response(JSON.stringify({ ...ACTIVE, exp: 1 }).replace('"exp":1', '"exp":1e999')),
    ],
    ['dependencies that are no list', () => activeWith({ depends: { kind: 'token' } })],
    ['a dependency without a handle', () => activeWith({ depends: [{ kind: 'token' }] })],
  ])('answers 503 if introspection answers %s', async (_, answer) => {
    const { verifier, stub, jwt, requests } = aVerifier();
    stub.answer = async () => answer();
    expect(statusOf(await verifier.verify(jwt(), READ))).toBe(503);
    expect(requests.every(({ init }) => init?.redirect === 'manual')).toBe(true);
    expect(requests.some(({ path }) => path.includes('elsewhere'))).toBe(false);
  });
});
