import { describe, expect, it } from 'vitest';
import { activeWith, aKnowingVerifier, questionsOf, READ, statusOf } from '../../testing/knowing-verifier.ts';
import { ACTIVE, aVerifier, settled } from '../../testing/stub-gatehouse.ts';

describe('The questions of a verifier', () => {
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
