import { describe, expect, it } from 'vitest';
import { ACTIVE, aVerifier } from '../../testing/stub-gatehouse.ts';
import { createKnowledge } from '../core/knowledge.ts';
import { createMemory } from '../core/memory.ts';
import type { ActiveToken, Introspection } from '../questions/introspect.ts';
import { createRefresh } from './refresh-forgotten.ts';

const READ = { scope: 'orders:read' };

describe('A token that was forgotten with all others', () => {
  /** A verifier that remembers a token. */
  async function remembering() {
    const scene = aVerifier();
    const stream = await scene.prove();
    const token = scene.jwt();
    expect(await scene.verifier.verify(token, READ)).toMatchObject({ ok: true });
    expect(scene.verifier.verifyNow(token, READ)).toMatchObject({ ok: true });
    return { ...scene, stream, token, now: () => scene.verifier.verifyNow(token, READ) };
  }

  it('decides again after it was asked about by its id, and not before', async () => {
    const { stream, now, elapse, calls } = await remembering();
    await stream.changed('all');
    expect(now()).toBeUndefined();
    await elapse(200);
    expect(now()).toMatchObject({ ok: true, caller: { token: ACTIVE.jti } });
    expect(calls.filter((call) => call === 'introspect')).toHaveLength(1);
    expect(calls).toContain('token-refreshes');
  });

  it('decides again also if each of 200 tokens has as many scopes as a service can have', async () => {
    const { stream, now, elapse, stub, verifier, jwt } = await remembering();
    const scope = `orders:read ${'orders:x '.repeat(440)}orders:y`;
    for (let serial = 2; serial <= 200; serial += 1) {
      stub.answer = async () => Response.json({ ...ACTIVE, jti: `${ACTIVE.jti}-${serial}` });
      await verifier.verify(jwt(`${serial}`), READ);
    }
    const gatehouse = { ...ACTIVE.gatehouse, name: 'n'.repeat(1300) };
    stub.refresh = async (ids) => {
      expect(ids).toHaveLength(200);
      return Response.json({ tokens: ids.map((jti) => ({ ...ACTIVE, gatehouse, scope, jti })) });
    };
    await stream.changed('all');
    await elapse(200);
    expect(now()).toMatchObject({ ok: true });
  });

  it('stays forgotten if it is no longer active', async () => {
    const { stream, now, elapse, stub } = await remembering();
    stub.refresh = async () => Response.json({ tokens: [{ active: false }] });
    await stream.changed('all');
    await elapse(200);
    expect(now()).toBeUndefined();
  });

  it('stays forgotten if one of its records changes between question and answer', async () => {
    const { stream, now, elapse, stub } = await remembering();
    let answer = (_: Response) => {};
    stub.refresh = () =>
      new Promise((resolve) => {
        answer = resolve;
      });
    await stream.changed('all');
    await elapse(200);
    await stream.changed(['user-handle']);
    answer(Response.json({ tokens: [ACTIVE] }));
    await elapse(0);
    expect(now()).toBeUndefined();
  });

  it.each<[string, () => Response]>([
    ['another token', () => Response.json({ tokens: [{ ...ACTIVE, jti: 'other' }] })],
    [
      'another database',
      () => Response.json({ tokens: [{ ...ACTIVE, gatehouse: { ...ACTIVE.gatehouse, database: 'two' } }] }),
    ],
    ['two tokens', () => Response.json({ tokens: [ACTIVE, ACTIVE] })],
    ['nothing', () => Response.json({})],
    ['a failure', () => new Response(null, { status: 503 })],
  ])('stays forgotten if the server answers about %s', async (_, respond) => {
    const { stream, now, elapse, stub } = await remembering();
    stub.refresh = async () => respond();
    await stream.changed('all');
    await elapse(200);
    expect(now()).toBeUndefined();
  });

  it('is asked about again after a failure, and not by an older server', async () => {
    const { stream, now, elapse, stub } = await remembering();
    const { refresh } = stub;
    stub.refresh = async () => new Response(null, { status: 503 });
    await stream.changed('all');
    await elapse(200);
    stub.refresh = refresh;
    await stream.proof();
    await elapse(400);
    expect(now()).toMatchObject({ ok: true });

    let asked = 0;
    stub.refresh = async () => {
      asked += 1;
      return new Response(null, { status: 404 });
    };
    await stream.changed('all');
    for (let turn = 0; turn < 5; turn += 1) {
      await stream.proof();
      await elapse(400);
    }
    expect(asked).toBe(1);
  });
});

describe('Tokens that were forgotten together', () => {
  const DEPENDENCIES = [{ kind: 'token', handle: 'h' }];

  /** Forgets so many tokens at once. The test lets each request of the refresh go on and end. */
  function forgetting(count: number, maxTokens = 100_000) {
    const knowledge = createKnowledge<ActiveToken>({
      memory: createMemory(maxTokens),
      now: () => ({ monotonic: 0, wall: 0 }),
      maxStalenessMs: 1000,
    });
    const callbacks: (() => void)[] = [];
    const requests: { ids: readonly string[]; end: (answers: readonly Introspection[]) => void }[] = [];
    const kept: string[] = [];
    const refresh = createRefresh({
      knowledge: {
        ...knowledge,
        isFresh: () => true,
        recall: () => undefined,
        answered(_, key) {
          kept.push(key);
          return 'remembered';
        },
      },
      askAgain: (ids) => new Promise((end) => requests.push({ ids, end })),
      after: (_, callback) => {
        callbacks.push(callback);
        return () => undefined;
      },
      maxTokens,
    });
    const answerOf = (token: string): Introspection => ({
      caller: { user: 1, account: 1, role: 'admin', token, scopes: [] },
      expiresAt: Number.POSITIVE_INFINITY,
      provenance: { database: 'one', dependencies: DEPENDENCIES },
    });
    refresh.add(
      Array.from({ length: count }, (_, index) => [`key ${index}`, answerOf(`${index}`) as ActiveToken]),
    );
    return {
      requests,
      kept,
      begin() {
        for (const callback of callbacks.splice(0)) callback();
      },
      async endAll() {
        for (const { ids, end } of requests.splice(0)) end(ids.map(answerOf));
        await new Promise(setImmediate);
      },
    };
  }

  it('are asked about 200 at a time, by at most two requests at once, until none is left', async () => {
    const { begin, requests, endAll, kept } = forgetting(900);
    const sizes: number[][] = [];
    for (let turn = 0; turn < 4; turn += 1) {
      begin();
      sizes.push(requests.map(({ ids }) => ids.length));
      await endAll();
    }
    expect(sizes).toEqual([[200, 200], [200, 200], [100], []]);
    expect(new Set(kept).size).toBe(900);
  });

  it('do not take more memory than was allowed', async () => {
    const { begin, requests } = forgetting(900, 150);
    begin();
    expect(requests.map(({ ids }) => ids.length)).toEqual([150]);
  });
});
