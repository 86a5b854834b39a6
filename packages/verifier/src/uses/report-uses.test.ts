import { describe, expect, it } from 'vitest';
import { ACTIVE, aVerifier, settled } from '../../testing/stub-gatehouse.ts';

const READ = { scope: 'orders:read', clientAddress: '192.0.2.1' };
const START = Date.parse('2026-09-21T14:13:20Z');
const at = (ms: number) => new Date(START + ms).toISOString();
const use = (count: number, ms: number, more: object = { client_address: '192.0.2.1' }) => ({
  token: ACTIVE.jti,
  count,
  last_at: at(ms),
  ...more,
});

/** A verifier that remembers a token. */
async function aKnowingVerifier() {
  const all = aVerifier();
  const stream = await all.prove();
  const token = all.jwt();
  await all.verifier.verify(token, READ);
  return { ...all, stream, token };
}

describe('A use of a remembered token', () => {
  it('is reported at once if it is the first, and later ones each second', async () => {
    const { verifier, token, elapse, reports } = await aKnowingVerifier();
    await elapse(40);
    for (let i = 0; i < 3; i += 1) verifier.verifyNow(token, READ);
    await elapse(49);
    expect(reports).toEqual([]);
    await elapse(1);
    expect(reports).toEqual([{ uses: [use(3, 40)], refusals: [] }]);
    for (let i = 0; i < 5; i += 1) verifier.verifyNow(token, READ);
    await elapse(999);
    expect(reports).toHaveLength(1);
    await elapse(1);
    expect(reports[1]).toEqual({ uses: [use(5, 90)], refusals: [] });
    await elapse(5000);
    expect(reports).toHaveLength(2);
  });

  it('is reported at once if it is the first, also while others are reported each second', async () => {
    const { verifier, token, stub, jwt, elapse, reports } = await aKnowingVerifier();
    verifier.verifyNow(token, READ);
    await elapse(50);
    stub.answer = async () => Response.json({ ...ACTIVE, jti: 'other' });
    await verifier.verify(jwt('2'), READ);
    verifier.verifyNow(token, READ);
    verifier.verifyNow(jwt('2'), READ);
    await elapse(50);
    expect(reports).toHaveLength(2);
    expect(reports[1]?.uses).toHaveLength(2);
  });

  it('is reported at once if it is the first, also while another report is under way', async () => {
    const { verifier, token, stub, jwt, elapse, reports } = await aKnowingVerifier();
    let take = () => {};
    stub.takeReport = () =>
      new Promise((resolve) => {
        take = () => resolve(new Response(null, { status: 204 }));
      });
    stub.answer = async () => Response.json({ ...ACTIVE, jti: 'other' });
    await verifier.verify(jwt('2'), READ);
    verifier.verifyNow(token, READ);
    await elapse(50);
    verifier.verifyNow(jwt('2'), READ);
    await elapse(60);
    expect(reports).toHaveLength(1);
    take();
    await settled();
    await elapse(50);
    expect(reports).toHaveLength(2);
  });

  it('is reported with the time of Gatehouse, and with its addresses', async () => {
    const { verifier, token, stream, elapse, reports, pass } = await aKnowingVerifier();
    pass(200);
    await stream.proof();
    verifier.verifyNow(token, READ);
    verifier.verifyNow(token, { ...READ, clientAddress: '2001:db8::1' });
    verifier.verifyNow(token, { ...READ, clientAddress: 'unknown' });
    // As a header that was sent twice.
    verifier.verifyNow(token, { ...READ, clientAddress: ['192.0.2.1'] as never });
    verifier.verifyNow(token, { scope: READ.scope });
    await elapse(50);
    expect(reports[0]?.uses).toEqual([
      use(1, 200),
      use(1, 200, { client_address: '2001:db8::1' }),
      use(1, 200, {}),
      use(2, 200, {}),
    ]);
  });

  it('is a refusal if the token lacks the scope, whether Gatehouse was asked or not', async () => {
    const { verifier, stub, jwt, elapse, reports, prove } = aVerifier();
    await prove();
    const write = { ...READ, scope: 'orders:write' };
    await verifier.verify(jwt(), write);
    verifier.verifyNow(jwt(), write);
    await elapse(50);
    expect(reports).toEqual([{ uses: [], refusals: [{ ...use(2, 0), reason: 'insufficient_scope' }] }]);
    stub.answer = async () => Response.json({ active: false });
    await verifier.verify(jwt('2'), READ);
    verifier.verifyNow(jwt('2'), READ);
    await elapse(2000);
    expect(reports).toHaveLength(1);
  });

  it('is not reported if Gatehouse was asked for it, which is told the address', async () => {
    const { elapse, reports, requests, token, verifier, pass } = await aKnowingVerifier();
    const [asked] = requests.filter(({ path }) => path.endsWith('/introspect'));
    expect(`${asked?.init?.body}`).toBe(
      `token=${token}&depends=1&conditions=networks&client_address=192.0.2.1`,
    );
    pass(1001);
    await verifier.verify(token, READ);
    await elapse(2000);
    expect(reports).toEqual([]);
  });

  it('is reported if the request joined the question of another one', async () => {
    const { verifier, stub, jwt, prove, elapse, reports } = aVerifier();
    await prove();
    let answer = () => {};
    await verifier.verify(jwt('other'), READ);
    stub.answer = () =>
      new Promise((resolve) => {
        answer = () => resolve(Response.json(ACTIVE));
      });
    const verdicts = Promise.all([1, 2, 3].map(() => verifier.verify(jwt(), READ)));
    await settled();
    answer();
    await verdicts;
    await elapse(50);
    expect(reports).toEqual([{ uses: [use(2, 0)], refusals: [] }]);
  });
});

describe('A report', () => {
  it.each([
    ['no answer', () => Promise.reject(new Error('no network')), 2000],
    ['500', async () => new Response(null, { status: 500 }), 2000],
    ['401', async () => new Response(null, { status: 401 }), 2000],
    ['a redirect', async () => new Response(null, { status: 307, headers: { location: '/' } }), 2000],
    ['429', async () => new Response(null, { status: 429, headers: { 'retry-after': '7' } }), 7000],
  ])('that got %s is sent again with the next, after a pause', async (_, takeReport, pauseMs) => {
    const { verifier, token, stub, elapse, reports, stream, requests } = await aKnowingVerifier();
    const { takeReport: taken } = stub;
    stub.takeReport = takeReport;
    verifier.verifyNow(token, READ);
    await elapse(50);
    verifier.verifyNow(token, READ);
    await elapse(999);
    expect(reports).toHaveLength(1);
    stub.takeReport = taken;
    await elapse(pauseMs - 999);
    await stream.proof();
    expect(reports).toEqual([
      { uses: [use(1, 0)], refusals: [] },
      { uses: [use(2, 50)], refusals: [] },
    ]);
    await elapse(60_000);
    expect(reports).toHaveLength(2);
    expect(requests.every(({ init }) => init?.redirect === 'manual')).toBe(true);
  });

  it('that an older server does not know is the last for five minutes', async () => {
    const { verifier, token, stub, stream, elapse, pass, reports } = await aKnowingVerifier();
    const { takeReport: taken } = stub;
    stub.takeReport = async () => new Response(null, { status: 404 });
    verifier.verifyNow(token, READ);
    await elapse(50);
    verifier.verifyNow(token, READ);
    stub.takeReport = taken;
    await elapse(900);
    verifier.verifyNow(token, READ);
    await elapse(2000);
    expect(reports).toHaveLength(1);
    pass(300_000);
    expect(stream.isOver()).toBe(false);
    await verifier.verify(token, { ...READ, scope: 'orders:write' });
    await elapse(1000);
    expect(reports).toHaveLength(2);
  });

  it('that Gatehouse refuses as such is not sent again', async () => {
    const { verifier, token, stub, elapse, reports } = await aKnowingVerifier();
    stub.takeReport = async () => new Response(null, { status: 400 });
    verifier.verifyNow(token, READ);
    await elapse(50);
    await elapse(60_000);
    expect(reports).toHaveLength(1);
  });

  it('has at most 1,000 entries, and the rest follows', async () => {
    const { verifier, stub, jwt, elapse, reports, prove } = aVerifier({ maxQuestions: 3000 });
    await prove();
    let serial = 0;
    stub.answer = async () => Response.json({ ...ACTIVE, jti: `token ${serial++}` });
    const tokens = Array.from({ length: 2500 }, (_, id) => jwt(`${id}`));
    await Promise.all(tokens.map((token) => verifier.verify(token, READ)));
    for (const token of tokens) verifier.verifyNow(token, READ);
    await elapse(50);
    for (let part = 0; part < 3; part += 1) await elapse(200);
    await elapse(1000);
    expect(reports.map(({ uses }) => uses.length)).toEqual([700, 700, 700, 400]);
    expect(reports.every((report) => JSON.stringify(report).length < 256 * 1024)).toBe(true);
  });
});

describe('close', () => {
  it('reports all that was counted', async () => {
    const { verifier, token, reports, timers } = await aKnowingVerifier();
    verifier.verifyNow(token, READ);
    verifier.verifyNow(token, { ...READ, scope: 'orders:write' });
    await verifier.close();
    expect(reports).toMatchObject([{ uses: [{ count: 1 }], refusals: [{ count: 1 }] }]);
    await settled();
    expect(timers).toEqual([]);
  });

  it('waits for a report that is under way, and sends it again if it fails', async () => {
    const { verifier, token, stub, reports, elapse } = await aKnowingVerifier();
    let fail = () => {};
    const { takeReport: taken } = stub;
    stub.takeReport = () =>
      new Promise((_, reject) => {
        fail = () => reject(new Error('no network'));
      });
    verifier.verifyNow(token, READ);
    await elapse(50);
    verifier.verifyNow(token, READ);
    stub.takeReport = taken;
    const closed = verifier.close();
    fail();
    await closed;
    expect(reports).toMatchObject([{ uses: [{ count: 1 }] }, { uses: [{ count: 2 }] }]);
  });

  it('ends if Gatehouse cannot be reached', async () => {
    const { verifier, token, stub, reports, timers } = await aKnowingVerifier();
    stub.takeReport = () => Promise.reject(new Error('no network'));
    verifier.verifyNow(token, READ);
    await verifier.close();
    await settled();
    expect([reports.length, timers]).toEqual([1, []]);
  });
});
