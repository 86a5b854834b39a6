import { describe, expect, test, vi } from 'vitest';
import { boundSignIns, ok, type SignIn } from '../index.ts';

const INPUT = { email: 'ada@acme.example', password: 'a heavy press, twice', address: '192.0.2.1' };
const BUSY = { ok: false, error: { code: 'hashing_busy' } };

/** Sign-ins that end when the test says so. */
function heldSignIns() {
  const ends: PromiseWithResolvers<void>[] = [];
  const signIn = vi.fn<SignIn>(async () => {
    const end = Promise.withResolvers<void>();
    ends.push(end);
    await end.promise;
    return ok('token');
  });
  return { signIn, ends };
}

describe('sign-ins that are bounded', () => {
  test('are refused at once beyond the bound, and nothing is done for them', async () => {
    const { signIn, ends } = heldSignIns();
    const bounded = boundSignIns(signIn, 2);
    const underWay = [bounded(INPUT), bounded(INPUT)];
    expect(await Promise.all([bounded(INPUT), bounded(INPUT)])).toEqual([BUSY, BUSY]);
    expect(signIn).toHaveBeenCalledTimes(2);
    for (const { resolve } of ends) resolve();
    expect(await Promise.all(underWay)).toEqual([ok('token'), ok('token')]);
  });

  test('make room when they end, whichever way', async () => {
    const { signIn, ends } = heldSignIns();
    const bounded = boundSignIns(signIn, 1);
    const first = bounded(INPUT);
    ends[0]?.reject(new Error('the database is gone'));
    await expect(first).rejects.toThrow('gone');
    const second = bounded(INPUT);
    ends[1]?.resolve();
    expect(await second).toEqual(ok('token'));
    expect(await Promise.race([bounded(INPUT), Promise.resolve('under way')])).toBe('under way');
  });
});
