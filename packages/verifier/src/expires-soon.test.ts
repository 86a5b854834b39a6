import { describe, expect, it, vi } from 'vitest';
import { READ, statusOf } from '../testing/knowing-verifier.ts';
import { ACTIVE, aVerifier, settled } from '../testing/stub-gatehouse.ts';
import type { OnExpiresSoon } from './expires-soon.ts';

const NOW_MS = 1_790_000_000_000;
const DAY_MS = 86_400_000;

/** A verifier that asks about tokens which end after this number of days. */
async function aVerifierOf(days: number, onExpiresSoon: OnExpiresSoon) {
  const all = aVerifier({ onExpiresSoon });
  await all.prove();
  let count = 0;
  all.stub.answer = async () => {
    count += 1;
    return Response.json({ ...ACTIVE, jti: `token-${count}`, exp: (NOW_MS + days * DAY_MS) / 1000 });
  };
  return all;
}

describe('A token that expires soon', () => {
  it('is told once, with whose it is, also if it is decided from memory', async () => {
    const onExpiresSoon = vi.fn();
    const { verifier, jwt } = await aVerifierOf(13, onExpiresSoon);
    const token = jwt();
    for (let i = 0; i < 3; i += 1) expect(statusOf(await verifier.verify(token, READ))).toBe(200);
    await settled();
    const expiresAt = new Date(NOW_MS + 13 * DAY_MS);
    expect(onExpiresSoon.mock.calls).toEqual([[{ token: 'token-1', user: 42, account: 7, expiresAt }]]);
    await verifier.verify(jwt('2'), READ);
    expect(onExpiresSoon).toHaveBeenCalledTimes(2);
  });

  it('is told when its last 14 days begin, from memory, and not before', async () => {
    const onExpiresSoon = vi.fn();
    const { verifier, jwt, pass, streams } = await aVerifierOf(15, onExpiresSoon);
    const token = jwt();
    await verifier.verify(token, READ);
    await settled();
    expect(onExpiresSoon).not.toHaveBeenCalled();
    pass(1.1 * DAY_MS);
    await streams[0]?.proof();
    await verifier.verify(token, READ);
    await settled();
    expect(onExpiresSoon).toHaveBeenCalledTimes(1);
  });

  it('is not told if it is refused', async () => {
    const onExpiresSoon = vi.fn();
    const { verifier, jwt } = await aVerifierOf(1, onExpiresSoon);
    const token = jwt();
    for (let i = 0; i < 2; i += 1)
      expect(statusOf(await verifier.verify(token, { scope: 'orders:write' }))).toBe(403);
    await settled();
    expect(onExpiresSoon).not.toHaveBeenCalled();
  });

  it.each<[string, OnExpiresSoon]>([
    [
      'throws',
      () => {
        throw new Error('of the callback');
      },
    ],
    ['rejects', () => Promise.reject(new Error('of the callback'))],
    ['never ends', () => new Promise(() => undefined)],
  ])('is accepted if the callback %s', async (_, onExpiresSoon) => {
    const { verifier, jwt } = await aVerifierOf(1, onExpiresSoon);
    const token = jwt();
    for (let i = 0; i < 2; i += 1) expect(statusOf(await verifier.verify(token, READ))).toBe(200);
    await settled();
  });
});
